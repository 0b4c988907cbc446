-- A small shop for `make demo-sqlite`. Every value comes from arithmetic: each run is the same.
CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO country VALUES ('NO', 'Norway'), ('IT', 'Italy'), ('PT', 'Portugal'), ('CL', 'Chile');

CREATE TABLE customer (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, country_code TEXT NOT NULL REFERENCES country
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
INSERT INTO customer
SELECT i, 'Customer ' || i, substr('NOITPTCLNONOIT', 1 + 2 * (i * i % 7), 2) FROM n;

CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL NOT NULL);
INSERT INTO product (name, price) VALUES
    ('Two-person tent', 289), ('Down sleeping bag', 219.5), ('Headlamp', 39.9),
    ('Trekking poles', 74), ('Rain jacket', 159), ('Compass', 24.5);

CREATE TABLE "order" (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer,
    product_id INTEGER NOT NULL REFERENCES product, quantity INTEGER NOT NULL,
    status TEXT NOT NULL, ordered_on TEXT NOT NULL
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
INSERT INTO "order"
SELECT i, 1 + i * 31 % 120, 1 + i * i % 6, 1 + i % 3,
       CASE i % 5 WHEN 0 THEN 'placed' WHEN 1 THEN 'shipped' WHEN 2 THEN 'returned' ELSE 'delivered' END,
       date('2025-01-01', '+' || (i % 365) || ' days')
FROM n;
