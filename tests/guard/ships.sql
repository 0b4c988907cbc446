CREATE TYPE mood AS ENUM ('calm', 'rough');
CREATE TABLE port (id int PRIMARY KEY, name text NOT NULL, country text, place point, opened date);
CREATE TABLE ship (
    id int PRIMARY KEY, name text, n int, kind varchar(20), built date, port_id int REFERENCES port,
    price numeric(12, 2), tags text[], data jsonb, note json, sea mood, update_date timestamptz,
    addr inet, hours int4range, doc tsvector, raw bytea, code uuid, speed float8, lasts interval,
    area box
);
CREATE TABLE sale (id int, ship_id int REFERENCES ship, amount numeric, at timestamptz, buyer text);
CREATE TABLE "HarbourLog" ("ShipID" int, "when" timestamp, "user" text);
CREATE TABLE "order" (id int, "group" text, "select" int);
CREATE SCHEMA freight;
CREATE TABLE freight.leg (id int, ship_id int, start_port int, end_port int, parent int, miles int);
CREATE VIEW heavy AS SELECT * FROM ship WHERE n > 100;
CREATE TYPE address AS (street text, city text);
CREATE TABLE crew (id int, name text, home address, boss int);
INSERT INTO port SELECT i, 'port ' || i, 'NO', point(i, i), date '2020-01-01' + i FROM generate_series(1, 5) i;
INSERT INTO ship (id, name, n, kind, built, port_id, price, tags, data, sea, update_date)
SELECT i, 'ship ' || i, i * 7, 'cargo', date '2000-01-01' + i, 1 + i % 5, i * 1000.5, ARRAY['a', 'b'],
    jsonb_build_object('k', i, 'list', jsonb_build_array(1, 2)), 'calm', now()
FROM generate_series(1, 20) i;
INSERT INTO sale SELECT i, 1 + i % 20, i * 10, now() - i * interval '1 day', 'buyer ' || i % 3 FROM generate_series(1, 60) i;
