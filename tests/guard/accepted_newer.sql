-- JSON_TABLE (A7), servers 17 and on
SELECT * FROM ship, JSON_TABLE(data, '$.list[*]' COLUMNS (x int PATH '$', o FOR ORDINALITY, NESTED PATH '$.a' COLUMNS (y text)))

-- JSON constructors, servers 16 and on
SELECT JSON_OBJECT('a': 1, 'b': name NULL ON NULL), JSON_ARRAY(1, 2), JSON_ARRAYAGG(n), JSON_OBJECTAGG(id: n) FROM ship GROUP BY name

-- JSON queries, servers 17 and on
SELECT JSON_VALUE(data, '$.k' RETURNING int DEFAULT 0 ON EMPTY), JSON_QUERY(data, '$.list' WITH WRAPPER), JSON_EXISTS(data, '$.k') FROM ship

-- IS JSON, servers 16 and on
SELECT name IS JSON OBJECT, JSON_SCALAR(1), JSON_SERIALIZE(data), JSON('1') FROM ship

-- any_value, servers 16 and on
SELECT any_value(name), random_normal(), array_sort(tags), array_shuffle(tags) FROM ship GROUP BY tags

-- numbers with underscores, servers 16 and on
SELECT 1_000_000, 0xFF, 0b11, 0o17

-- a subquery without an alias, servers 16 and on
SELECT * FROM (SELECT 1)

-- AT LOCAL, servers 17 and on
SELECT at AT LOCAL FROM sale

-- random in a range, servers 17 and on
SELECT random(1, 10), uuidv7(), casefold(name), crc32(raw) FROM ship
