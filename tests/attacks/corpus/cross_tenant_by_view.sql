-- shows TENANT-B: a view whose owner passes the policy by
SELECT * FROM all_invoice

-- shows TENANT-B: a materialized view that was filled before
SELECT * FROM old_invoice

-- shows TENANT-B: a view over a view that passes the policy by
SELECT text FROM nested_invoice

-- shows TENANT-B: such a view as a row
SELECT v FROM all_invoice v

-- shows TENANT-B: such a view in a subquery in LIMIT, and its error
SELECT 1 LIMIT (SELECT max(text)::int FROM all_invoice)

-- shows TENANT-B: such a view in a WITH query of the table's name
WITH invoice AS (SELECT * FROM all_invoice) SELECT * FROM invoice

-- shows TENANT-B: a view whose owner passes the policy by
SELECT * FROM all_ticket

-- shows TENANT-B: a materialized view
SELECT * FROM old_ticket

-- answers 2: a count over a view that passes the policy by
SELECT count(*) FROM all_invoice

-- shows TENANT-B: such a view in a set operation
SELECT text FROM invoice UNION SELECT text FROM all_invoice

-- shows TENANT-B: a partition without the policies of its parent
SELECT * FROM tally_b

-- shows TENANT-B: a partition by ONLY, in a WITH query
WITH t AS (SELECT text FROM ONLY tally_b) SELECT * FROM t

-- shows TENANT-B: a materialized view's error
SELECT max(text)::int FROM old_invoice
