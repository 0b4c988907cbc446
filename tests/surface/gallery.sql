-- Awkward values of every kind of type. See gallery.py.

CREATE SCHEMA art;
CREATE TYPE art.mood AS ENUM ('glad', 'so so', 'sad');
CREATE DOMAIN art.grade AS numeric(4,1) CHECK (VALUE > 0);
CREATE TYPE art.size AS (w int, h numeric, note text);
CREATE TYPE art.frame AS (outer_size art.size, moods art.mood[]);
CREATE TYPE art.graded AS (mark art.grade);
CREATE TABLE art.piece (
    id int, exact numeric, price numeric(12,2), ratio float8, small real, code char(5),
    tag varchar(8), day date, at timestamp, seen timestamptz, clock time, zoned timetz,
    span interval, raw bytea, flags bit(3), more bit varying, mood art.mood, grade art.grade,
    size art.size, frame art.frame, sizes art.size[], frames art.frame[], grid int[], moods art.mood[],
    grades art.grade[], graded art.graded,
    during tstzrange, counts int4range, gaps int4multirange, doc json, docb jsonb, spot point, net inet,
    block cidr, uid uuid, words tsvector, initial "char", label name, kind regclass, kinds regtype[],
    cost money, yes boolean, texts text[], docs jsonb[]
);
INSERT INTO art.piece VALUES
 (1, 12345678901234567890.123456789012345678, 1.50, 0.1 + 0.2, 0.1, 'ab', 'x', '2024-02-29',
  '2024-02-29 23:30:00.123456', '2024-02-29 23:30:00+09', '23:59:59.5', '23:59:59+05:30',
  '1 year -2 mons +3 days -04:05:06.7', '\x00ff', '101', '10110', 'so so', 4.5,
  ROW(1, 1.50, 'a "b", c\d'), ROW(ROW(NULL, NULL, ''), '{glad,"so so"}'),
  ARRAY[ROW(1, 2.0, 'x,y')::art.size, NULL], ARRAY[ROW(ROW(1, 2, NULL), '{sad}')::art.frame],
  '[0:1][2:3]={{1,2},{3,NULL}}', '{glad,"so so",NULL}', '{1.5,2}', ROW(3),
  '[2024-01-01 00:00+00,)', '[1,5)', '{[1,3),[5,9)}', '{"a": 1.0,  "a": 2}', '{"b": 1.50}', '(1,2.5)',
  '10.0.0.1/24', '10.0.0.0/8', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a:1 b:2', 'q', 'pieces',
  'art.piece', '{int4,art.mood}', '12.50', true, '{"",NULL,"NULL","a,b"}', '{"{\"a\": 1}",null}'),
 (2, 'NaN', -0.00, 'NaN', 'Infinity', '', '', 'infinity', '-infinity', 'infinity', '24:00', '00:00-11',
  '-1 days +02:03:04', '', '000', '', 'glad', 0.1, ROW(NULL, 'NaN', NULL), NULL, '{}', '{}', '{}', '{}', '{}', NULL,
  'empty', 'empty', '{}', 'null', 'null', '(NaN,Infinity)', '::1', '::/0', NULL, '', '', '', 'pg_class', '{}',
  '-1', false, '{}', '{}'),
 (3, 'Infinity', NULL, '-0', 1e-40, NULL, NULL, '0044-03-15 BC', '0044-03-15 10:00 BC', '1883-01-01', NULL, NULL,
  '-178000000 years', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '(,)', NULL, NULL, '"x"', '[1e400]',
  NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
