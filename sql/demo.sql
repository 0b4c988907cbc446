-- Demo data for nl2sql: Cairn & Compass, an online shop for outdoor gear, and its warehouses.
--
--   psql -v ON_ERROR_STOP=1 -d <database> -f demo.sql
--
-- Run it as the owner of the database, as often as you like: it drops and makes again the
-- schemas "shop" and "warehouse", and nothing else. Every value comes from hash arithmetic,
-- so two runs on one day give the same rows; dates count back from today, over three years.

BEGIN;
SET LOCAL client_min_messages = warning;

DO $$
DECLARE taken name;
BEGIN
    SELECT nspname INTO taken FROM pg_namespace
    WHERE nspname IN ('shop', 'warehouse')
      AND obj_description(oid, 'pg_namespace') IS DISTINCT FROM 'Demo data of nl2sql: ' || nspname;
    IF FOUND THEN
        RAISE EXCEPTION 'schema "%" exists here and is not the demo''s: use another database', taken;
    END IF;
    -- Plain names of shop tables work in new sessions; warehouse tables stay qualified.
    IF NOT 'shop' = ANY (string_to_array(current_setting('search_path'), ', ')) THEN
        EXECUTE format('ALTER DATABASE %I SET search_path = %s, shop',
                       current_database(), current_setting('search_path'));
    END IF;
END $$;

DROP SCHEMA IF EXISTS shop, warehouse CASCADE;
CREATE SCHEMA shop;
CREATE SCHEMA warehouse;
COMMENT ON SCHEMA shop IS 'Demo data of nl2sql: shop';
COMMENT ON SCHEMA warehouse IS 'Demo data of nl2sql: warehouse';

-- ---------------------------------------------------------------- types and tables

CREATE TYPE shop.customer_group AS ENUM ('retail', 'club', 'trade');
CREATE TYPE shop.order_status AS ENUM
    ('placed', 'paid', 'packed', 'shipped', 'delivered', 'returned', 'cancelled');
CREATE TYPE shop.order_channel AS ENUM ('web', 'app', 'store', 'phone');
CREATE TYPE shop.payment_method AS ENUM ('card', 'paypal', 'bank_transfer', 'gift_card');
CREATE TYPE shop.return_reason AS ENUM
    ('too_small', 'too_large', 'damaged', 'not_as_described', 'changed_mind');
CREATE TYPE shop.device AS ENUM ('desktop', 'phone', 'tablet');

CREATE TABLE shop.country (
    code char(2) PRIMARY KEY,
    name text NOT NULL UNIQUE
);
COMMENT ON TABLE shop.country IS 'Countries that we sell to or buy from';
COMMENT ON COLUMN shop.country.code IS 'ISO 3166 two-letter code';

CREATE TABLE shop.customer (
    id integer PRIMARY KEY,
    first_name text NOT NULL,
    last_name text NOT NULL,
    email text NOT NULL UNIQUE,
    phone text,
    city text NOT NULL,
    country_code char(2) NOT NULL REFERENCES shop.country,
    "group" shop.customer_group NOT NULL,
    newsletter boolean NOT NULL,
    joined_on date NOT NULL
);
COMMENT ON TABLE shop.customer IS 'People with an account; some have never ordered';
COMMENT ON COLUMN shop.customer.email IS 'Personal data: not for reports';
COMMENT ON COLUMN shop.customer.phone IS 'Personal data: not for reports';
COMMENT ON COLUMN shop.customer."group" IS 'retail, club (paying members, free shipping) or trade (guides and schools)';
COMMENT ON COLUMN shop.customer.newsletter IS 'Agreed to receive the newsletter';
COMMENT ON COLUMN shop.customer.joined_on IS 'Day the account was opened';

CREATE TABLE shop.category (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    department text NOT NULL
);
COMMENT ON TABLE shop.category IS 'Product categories, such as Tents, each in one department, such as Camping';

CREATE TABLE shop.supplier (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    country_code char(2) NOT NULL REFERENCES shop.country,
    lead_time_days integer NOT NULL
);
COMMENT ON TABLE shop.supplier IS 'Makers that we buy products from';
COMMENT ON COLUMN shop.supplier.lead_time_days IS 'Usual days from our order to their delivery';

CREATE TABLE shop.product (
    id integer PRIMARY KEY,
    sku text NOT NULL UNIQUE,
    name text NOT NULL UNIQUE,
    category_id integer NOT NULL REFERENCES shop.category,
    supplier_id integer NOT NULL REFERENCES shop.supplier,
    list_price numeric(10, 2) NOT NULL CHECK (list_price > 0),
    unit_cost numeric(10, 2) NOT NULL,
    weight_g integer,
    launched_on date NOT NULL,
    discontinued_on date
);
COMMENT ON TABLE shop.product IS 'What we sell';
COMMENT ON COLUMN shop.product.list_price IS 'Today''s price in euro';
COMMENT ON COLUMN shop.product.unit_cost IS 'What one unit costs us, in euro';
COMMENT ON COLUMN shop.product.weight_g IS 'Weight in grams; null where it was never measured';
COMMENT ON COLUMN shop.product.discontinued_on IS 'Null while the product is on sale';

CREATE TABLE shop.coupon (
    code text PRIMARY KEY,
    percent_off numeric(4, 1) NOT NULL,
    valid_from date NOT NULL,
    valid_until date
);
COMMENT ON TABLE shop.coupon IS 'Discount codes';
COMMENT ON COLUMN shop.coupon.valid_until IS 'Last day; null where the code does not expire';

CREATE TABLE shop."order" (
    id integer PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES shop.customer,
    status shop.order_status NOT NULL,
    channel shop.order_channel NOT NULL,
    ordered_at timestamptz NOT NULL,
    coupon_code text REFERENCES shop.coupon,
    shipping_fee numeric(6, 2) NOT NULL
);
COMMENT ON TABLE shop."order" IS 'One row per order, cancelled ones too; its products are in order_line';
COMMENT ON COLUMN shop."order".channel IS 'Where the order was placed';
COMMENT ON COLUMN shop."order".coupon_code IS 'Null where no coupon was used';

CREATE TABLE shop.order_line (
    order_id integer NOT NULL REFERENCES shop."order",
    line_no integer NOT NULL,
    product_id integer NOT NULL REFERENCES shop.product,
    quantity integer NOT NULL CHECK (quantity > 0),
    unit_price numeric(10, 2) NOT NULL,
    discount_percent numeric(4, 1) NOT NULL,
    amount numeric(12, 2) NOT NULL
        GENERATED ALWAYS AS (round(quantity * unit_price * (100 - discount_percent) / 100, 2)) STORED,
    PRIMARY KEY (order_id, line_no),
    UNIQUE (order_id, product_id)
);
COMMENT ON TABLE shop.order_line IS 'The products of each order';
COMMENT ON COLUMN shop.order_line.unit_price IS 'Price in euro on the day of the order';
COMMENT ON COLUMN shop.order_line.amount IS 'Quantity times price less discount, in euro';

CREATE TABLE shop.payment (
    id integer PRIMARY KEY,
    order_id integer NOT NULL REFERENCES shop."order",
    method shop.payment_method NOT NULL,
    amount numeric(12, 2) NOT NULL,
    paid_at timestamptz NOT NULL
);
COMMENT ON TABLE shop.payment IS 'Money received; an order may be paid in two parts';

CREATE TABLE shop.review (
    id integer PRIMARY KEY,
    product_id integer NOT NULL REFERENCES shop.product,
    customer_id integer NOT NULL REFERENCES shop.customer,
    rating smallint NOT NULL CHECK (rating BETWEEN 1 AND 5),
    title text NOT NULL,
    posted_on date NOT NULL
);
COMMENT ON TABLE shop.review IS 'Customers'' reviews of products they bought';
COMMENT ON COLUMN shop.review.rating IS '1 (poor) to 5 (excellent)';

CREATE TABLE shop."ReturnRequest" (
    "Id" integer PRIMARY KEY,
    "OrderId" integer NOT NULL REFERENCES shop."order",
    "Reason" shop.return_reason NOT NULL,
    "RefundAmount" numeric(12, 2) NOT NULL,
    "OpenedOn" date NOT NULL,
    "ClosedOn" date
);
COMMENT ON TABLE shop."ReturnRequest" IS 'Returns, from the help desk''s own system (hence the names)';
COMMENT ON COLUMN shop."ReturnRequest"."ClosedOn" IS 'Null while the request is open';

CREATE TABLE shop.web_visit (
    id integer NOT NULL,
    visited_at timestamptz NOT NULL,
    customer_id integer REFERENCES shop.customer,
    device shop.device NOT NULL,
    source text NOT NULL,
    pages integer NOT NULL,
    PRIMARY KEY (id, visited_at)
) PARTITION BY RANGE (visited_at);
COMMENT ON TABLE shop.web_visit IS 'Visits to the web shop in the last twelve months, one partition a month';
COMMENT ON COLUMN shop.web_visit.customer_id IS 'Null where the visitor was not logged in';
COMMENT ON COLUMN shop.web_visit.source IS 'direct, search, newsletter, social or affiliate';
COMMENT ON COLUMN shop.web_visit.pages IS 'Pages seen in the visit';

CREATE TABLE warehouse.site (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    city text NOT NULL UNIQUE,
    country_code char(2) NOT NULL REFERENCES shop.country,
    opened_on date NOT NULL
);
COMMENT ON TABLE warehouse.site IS 'Our warehouses';

CREATE TABLE warehouse.stock (
    site_id integer NOT NULL REFERENCES warehouse.site,
    product_id integer NOT NULL REFERENCES shop.product,
    on_hand integer NOT NULL CHECK (on_hand >= 0),
    reorder_level integer NOT NULL,
    counted_on date NOT NULL,
    PRIMARY KEY (site_id, product_id)
);
COMMENT ON TABLE warehouse.stock IS 'Units of each product in each warehouse';
COMMENT ON COLUMN warehouse.stock.on_hand IS 'Units there now';
COMMENT ON COLUMN warehouse.stock.reorder_level IS 'Order more when fewer units than this are on hand';
COMMENT ON COLUMN warehouse.stock.counted_on IS 'Day of the last count by hand';

CREATE TABLE warehouse.shipment (
    id integer PRIMARY KEY,
    order_id integer NOT NULL UNIQUE REFERENCES shop."order",
    site_id integer NOT NULL REFERENCES warehouse.site,
    carrier text NOT NULL,
    shipped_on date NOT NULL,
    delivered_on date
);
COMMENT ON TABLE warehouse.shipment IS 'Parcels; orders not sent yet and cancelled orders have none';
COMMENT ON COLUMN warehouse.shipment.delivered_on IS 'Null while the parcel is on its way';

-- ---------------------------------------------------------------- how values are made

-- The same arguments always give the same number, evenly spread over 0 <= x < 1.
CREATE OR REPLACE FUNCTION pg_temp.noise(salt text, n bigint) RETURNS double precision
LANGUAGE sql IMMUTABLE AS
$$ SELECT ('x' || left(md5(salt || n::text), 8))::bit(32)::bigint / 4294967296.0::double precision $$;

CREATE OR REPLACE FUNCTION pg_temp.pick(choices text[], salt text, n bigint) RETURNS text
LANGUAGE sql IMMUTABLE AS
$$ SELECT choices[1 + floor(pg_temp.noise(salt, n) * cardinality(choices))::integer] $$;

-- ---------------------------------------------------------------- who and what

INSERT INTO shop.country VALUES
    ('GB', 'United Kingdom'), ('DE', 'Germany'), ('FR', 'France'), ('NL', 'Netherlands'),
    ('ES', 'Spain'), ('IT', 'Italy'), ('IE', 'Ireland'), ('NO', 'Norway'), ('SE', 'Sweden'),
    ('PT', 'Portugal');

CREATE TEMP TABLE place ON COMMIT DROP AS
SELECT city, country_code,
       sum(weight) OVER up_to / sum(weight) OVER () - weight / sum(weight) OVER () AS low,
       sum(weight) OVER up_to / sum(weight) OVER () AS high
FROM (VALUES
    ('London', 'GB', 11.0), ('Manchester', 'GB', 6.0), ('Edinburgh', 'GB', 5.0),
    ('Bristol', 'GB', 4.0), ('Cardiff', 'GB', 3.0),
    ('Berlin', 'DE', 8.0), ('Munich', 'DE', 7.0), ('Hamburg', 'DE', 4.0), ('Freiburg', 'DE', 2.0),
    ('Paris', 'FR', 7.0), ('Lyon', 'FR', 4.0), ('Grenoble', 'FR', 3.0),
    ('Amsterdam', 'NL', 6.0), ('Utrecht', 'NL', 4.0),
    ('Barcelona', 'ES', 5.0), ('Bilbao', 'ES', 2.5),
    ('Milan', 'IT', 4.0), ('Turin', 'IT', 2.0),
    ('Dublin', 'IE', 4.0), ('Galway', 'IE', 1.0),
    ('Oslo', 'NO', 2.5), ('Bergen', 'NO', 1.5), ('Stockholm', 'SE', 2.5)
) AS city (city, country_code, weight)
WINDOW up_to AS (ORDER BY country_code, city);

-- Ids follow the order of joining. No two customers share a full name.
INSERT INTO shop.customer
SELECT n, first_name, last_name,
       lower(first_name || '.' || last_name) || '@example.' || pg_temp.pick('{com,org,net}', 'mail', n),
       CASE WHEN pg_temp.noise('has phone', n) < 0.7
            THEN '+' || 3000000000 + floor(pg_temp.noise('phone', n) * 999999999)::bigint END,
       place.city, place.country_code,
       (CASE WHEN pg_temp.noise('group', n) < 0.05 THEN 'trade'
             WHEN pg_temp.noise('group', n) < 0.27 THEN 'club' ELSE 'retail' END)::shop.customer_group,
       pg_temp.noise('newsletter', n) < 0.41,
       current_date - floor(1500 * (1 - n / 3000.0) ^ 1.3)::integer
FROM (
    SELECT n, firsts[1 + m % 64] AS first_name, lasts[1 + (m / 64 + 13 * (m % 64)) % 80] AS last_name
    FROM generate_series(1, 3000) AS n,
         LATERAL (SELECT n * 1877 % 5120 AS m) AS shuffled,
         (SELECT
            '{Aisha,Alice,Amelie,Anders,Anna,Antonio,Arthur,Astrid,Ben,Bruno,Camille,Carla,Cathal,
              Chiara,Clara,Daniel,Diego,Eilidh,Elena,Elif,Emma,Erik,Eva,Fatima,Felix,Fiona,Freya,
              Gabriel,George,Giulia,Grace,Hanna,Hugo,Ines,Ingrid,Isla,Ivan,James,Jasper,Johan,Julia,
              Kai,Karin,Kenji,Laura,Leon,Liam,Lotte,Lucia,Marco,Marta,Matteo,Mei,Mia,Nadia,Niamh,
              Oliver,Omar,Paula,Priya,Rosa,Samuel,Sofia,Tom}'::text[] AS firsts,
            '{Abbott,Adeyemi,Andersen,Baker,Barone,Bauer,Becker,Berg,Bianchi,Blanc,Bosch,Byrne,Campbell,
              Carter,Chen,Clarke,Costa,Dahl,Davies,Delgado,Dijkstra,Doyle,Dubois,Edwards,Evans,Ferrari,
              Fischer,Fraser,Gallagher,Garcia,Girard,Haas,Hansen,Hughes,Hussain,Iversen,Jansen,Jones,
              Kaya,Keller,Kelly,Khan,Koch,Lambert,Larsen,Leroy,Lindqvist,Lopez,Marino,Martin,Meyer,
              Moreau,Moreno,Morgan,Murphy,Navarro,Nilsen,Novak,Okafor,Olsen,Patel,Petit,Price,Quinn,
              Ricci,Roberts,Romero,Roux,Schmidt,Sharma,Silva,Sinclair,Smit,Strand,Tanaka,Torres,Visser,
              Wagner,Walsh,Weber}'::text[] AS lasts) AS names
) AS person
JOIN place ON pg_temp.noise('place', n) >= low AND pg_temp.noise('place', n) < high;

INSERT INTO shop.supplier VALUES
    (1, 'Northbound Textiles', 'GB', 21), (2, 'Alpenrand', 'DE', 14), (3, 'Fjordline Gear', 'NO', 28),
    (4, 'Cordillera Equipment', 'ES', 18), (5, 'Atelier Vercors', 'FR', 12), (6, 'Polder Packs', 'NL', 9),
    (7, 'Dolomia Footwear', 'IT', 16), (8, 'Lough & Sons', 'IE', 11), (9, 'Serra Works', 'PT', 24),
    (10, 'Skogsmark', 'SE', 19), (11, 'Highland Down', 'GB', 30), (12, 'Lumen Outdoor', 'DE', 7);

CREATE TEMP TABLE range_plan ON COMMIT DROP AS
SELECT * FROM (VALUES
    (1, 'Tents', 'Camping', 'Tent', 310.0, 2400), (2, 'Sleeping Bags', 'Camping', 'Sleeping Bag', 180.0, 1100),
    (3, 'Sleeping Mats', 'Camping', 'Mat', 85.0, 520), (4, 'Stoves', 'Camping', 'Stove', 72.0, 340),
    (5, 'Cookware', 'Camping', 'Cook Set', 48.0, 610), (6, 'Daypacks', 'Packs', 'Daypack', 92.0, 780),
    (7, 'Trekking Packs', 'Packs', 'Trekking Pack', 195.0, 1750), (8, 'Hiking Boots', 'Footwear', 'Boot', 168.0, 1240),
    (9, 'Trail Shoes', 'Footwear', 'Trail Shoe', 128.0, 640), (10, 'Rain Jackets', 'Clothing', 'Rain Jacket', 215.0, 410),
    (11, 'Down Jackets', 'Clothing', 'Down Jacket', 240.0, 380), (12, 'Base Layers', 'Clothing', 'Base Layer', 58.0, 190),
    (13, 'Headlamps', 'Accessories', 'Headlamp', 45.0, 95), (14, 'Trekking Poles', 'Accessories', 'Poles', 88.0, 450),
    (15, 'Water Bottles', 'Accessories', 'Bottle', 24.0, 210)
) AS plan (id, name, department, noun, price, grams);

INSERT INTO shop.category SELECT id, name, department FROM range_plan;

-- Products 1 to 100 have always been on sale, 101 to 172 came later, 173 to 180 are new.
INSERT INTO shop.product
SELECT n, 'CC-' || lpad((n * 7919 % 100000)::text, 5, '0'),
       ('{Arete,Beacon,Birch,Bothy,Brae,Cairn,Corrie,Crag,Dipper,Drift,Ember,Fell,Gale,Glen,Heather,
          Heron,Juniper,Kestrel,Larch,Linnet,Lochan,Moor,Merlin,Otter,Pine,Plover,Ridge,Rowan,Saddle,
          Scree,Spindrift,Summit,Tarn,Thistle,Tor,Wren}'::text[])[1 + (plan.id * 7 + n / 15 * 5) % 36]
           || ' ' || plan.noun,
       plan.id, 1 + (n * 5 + n / 15) % 12, price.list,
       round(price.list * (0.42 + 0.2 * pg_temp.noise('cost', n))::numeric, 2),
       CASE WHEN pg_temp.noise('weighed', n) < 0.88
            THEN (plan.grams * (0.7 + 0.6 * pg_temp.noise('weight', n)))::integer END,
       current_date - CASE WHEN n <= 100 THEN 1100 + floor(pg_temp.noise('launch', n) * 1400)
                           WHEN n <= 172 THEN 60 + floor(pg_temp.noise('launch', n) * 940)
                           ELSE (181 - n) * 2 END::integer,
       CASE WHEN n BETWEEN 101 AND 172 AND n % 9 = 2
            THEN current_date - floor(10 + pg_temp.noise('end', n) * 45)::integer END
FROM generate_series(1, 180) AS n
JOIN range_plan AS plan ON plan.id = 1 + (n - 1) % 15,
LATERAL (
    SELECT floor(plan.price * (0.55 + 1.25 * pg_temp.noise('price', n)))::numeric
           + (ARRAY[0.00, 0.50, 0.90, 0.95])[1 + n % 4] AS list
) AS price;

INSERT INTO shop.coupon VALUES
    ('WELCOME10', 10, current_date - 1200, NULL), ('CLUB5', 5, current_date - 1200, NULL),
    ('SUMMIT15', 15, current_date - 1000, current_date - 640), ('TRAIL12', 12, current_date - 650, current_date - 300),
    ('FRESHAIR20', 20, current_date - 320, current_date - 90), ('COMPASS10', 10, current_date - 120, NULL);

-- ---------------------------------------------------------------- orders

-- Business grows over three years, peaks in summer and before Christmas, and at weekends.
CREATE TEMP TABLE sale ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY days_ago DESC, n)::integer AS id, days_ago, current_date - days_ago AS day
FROM generate_series(0, 1095) AS days_ago,
LATERAL generate_series(1, round(
    (5 + 11 * (1095 - days_ago) / 1095.0)
    * ('{.75,.70,.85,1,1.15,1.35,1.4,1.15,.95,.85,1.1,1.45}'::float[])[extract(month FROM current_date - days_ago)]
    * CASE WHEN extract(isodow FROM current_date - days_ago) >= 6 THEN 1.3 ELSE 0.9 END
    * (0.8 + 0.4 * pg_temp.noise('busy', days_ago)))::integer) AS n;

-- Only customers who had joined by then can order; one in nine never does.
INSERT INTO shop."order"
SELECT sale.id, customer.id,
       (CASE WHEN fate < 0.05 + CASE channel WHEN 'phone' THEN 0.05 WHEN 'app' THEN 0.015 ELSE 0 END THEN 'cancelled'
             WHEN days_ago = 0 THEN pg_temp.pick('{placed,paid,paid}', 'status', sale.id)
             WHEN days_ago <= 2 THEN pg_temp.pick('{paid,packed,packed}', 'status', sale.id)
             WHEN days_ago <= 8 THEN 'shipped'
             WHEN days_ago > 14 AND fate > 0.96 THEN 'returned'
             ELSE 'delivered' END)::shop.order_status,
       channel::shop.order_channel,
       CASE WHEN days_ago = 0 THEN day + (now() - day) * pg_temp.noise('time', sale.id)
            ELSE day + interval '1 hour' * (7 + 16 * pg_temp.noise('time', sale.id)) END,
       CASE WHEN channel IN ('web', 'app') AND pg_temp.noise('coupon', sale.id) < 0.2 THEN (
           SELECT code FROM shop.coupon
           WHERE day BETWEEN valid_from AND coalesce(valid_until, day)
           ORDER BY pg_temp.noise(code, sale.id) LIMIT 1) END,
       CASE WHEN channel = 'store' OR customer."group" = 'club' THEN 0
            WHEN customer.country_code = 'GB' THEN 4.95 ELSE 7.95 END
FROM sale,
LATERAL (
    SELECT floor(3000 * (1 - ((days_ago + 1) / 1500.0) ^ (1 / 1.3))
                 * pg_temp.noise('who', sale.id) ^ 1.35)::integer + 1 AS nth,
           CASE WHEN pg_temp.noise('channel', sale.id) < 0.51 THEN 'web'
                WHEN pg_temp.noise('channel', sale.id) < 0.79 THEN 'app'
                WHEN pg_temp.noise('channel', sale.id) < 0.92 THEN 'store' ELSE 'phone' END AS channel,
           pg_temp.noise('fate', sale.id) AS fate
) AS chance
JOIN shop.customer ON customer.id = nth - (nth % 9 = 4)::integer;

-- A product not on sale that day is replaced by an old one; trade customers buy in numbers.
INSERT INTO shop.order_line (order_id, line_no, product_id, quantity, unit_price, discount_percent)
SELECT item.order_id, row_number() OVER (PARTITION BY item.order_id ORDER BY item.product_id), item.product_id,
       CASE customer."group"
           WHEN 'trade' THEN 2 + floor(5 * pg_temp.noise('quantity', item.order_id * 181 + item.product_id))
           ELSE 1 + floor(2.2 * pg_temp.noise('quantity', item.order_id * 181 + item.product_id) ^ 3)
       END::integer,
       round(product.list_price * (1 - 0.035 * floor(item.days_ago / 365.0))::numeric, 2),
       coalesce(coupon.percent_off, 0)
FROM (
    SELECT DISTINCT sale.id AS order_id, sale.days_ago,
           CASE WHEN sale.day BETWEEN launched_on AND coalesce(discontinued_on, sale.day)
                THEN product.id ELSE 1 + product.id % 100 END AS product_id
    FROM sale
    CROSS JOIN LATERAL generate_series(0, floor(4 * pg_temp.noise('lines', sale.id) ^ 1.7)::integer) AS k
    JOIN shop.product
        ON product.id = 1 + floor(180 * pg_temp.noise('what', sale.id * 8 + k) ^ 1.4)::integer * 77 % 180
) AS item
JOIN shop.product ON product.id = item.product_id
JOIN shop."order" ON "order".id = item.order_id
JOIN shop.customer ON customer.id = "order".customer_id
LEFT JOIN shop.coupon ON coupon.code = "order".coupon_code;

-- One order in twelve is paid in part with a gift card.
INSERT INTO shop.payment
SELECT row_number() OVER (ORDER BY due.id, part.method), due.id, part.method::shop.payment_method, part.amount,
       least(now(), ordered_at + interval '1 minute' * (1 + 30 * pg_temp.noise('paid', due.id)))
FROM (
    SELECT "order".id, ordered_at, shipping_fee + sum(amount) AS total
    FROM shop."order" JOIN shop.order_line ON order_id = id
    WHERE status NOT IN ('placed', 'cancelled') GROUP BY id
) AS due,
LATERAL (SELECT CASE WHEN pg_temp.noise('gift', due.id) < 0.08 THEN least(25, due.total / 2) ELSE 0 END::numeric(12, 2)
         AS gift) AS split,
LATERAL (VALUES ('gift_card', gift),
                (pg_temp.pick('{card,card,card,paypal,paypal,bank_transfer}', 'method', due.id), total - gift)
) AS part (method, amount)
WHERE part.amount > 0;

INSERT INTO shop.review
SELECT row_number() OVER (ORDER BY posted_on, order_id, product_id), product_id, customer_id, rating,
       pg_temp.pick(CASE rating
           WHEN 5 THEN '{Love it,Worth every cent,Best I have owned,Perfect on a wet week}'
           WHEN 4 THEN '{Very good,Does the job well,Good value,Small flaws only}'
           WHEN 3 THEN '{It is fine,Good but heavy,Average,Runs small}'
           WHEN 2 THEN '{Expected more,Not for bad weather,Zip sticks}'
           ELSE '{Broke on day two,Sent it back,Not waterproof}' END::text[], 'title', order_id * 181 + product_id),
       posted_on
FROM shop."order"
JOIN shop.order_line ON order_id = id,
LATERAL (
    SELECT (5 - floor(4.9 * pg_temp.noise('rating', id * 181 + product_id)
                      ^ (1.6 + 1.5 * pg_temp.noise('quality', product_id))))::smallint AS rating,
           ordered_at::date + 9 + floor(30 * pg_temp.noise('posted', id * 181 + product_id))::integer AS posted_on
) AS opinion
WHERE status IN ('delivered', 'returned') AND posted_on <= current_date
  AND pg_temp.noise('reviews', id * 181 + product_id) < 0.17;

INSERT INTO shop."ReturnRequest"
SELECT row_number() OVER (ORDER BY ordered_at), id,
       pg_temp.pick('{too_small,too_small,too_small,too_large,too_large,damaged,changed_mind,changed_mind,changed_mind,
                      changed_mind,not_as_described}', 'reason', id)::shop.return_reason,
       total, opened_on,
       CASE WHEN opened_on + 9 < current_date AND pg_temp.noise('open', id) < 0.94
            THEN opened_on + 2 + floor(7 * pg_temp.noise('closed', id))::integer END
FROM (
    SELECT id, ordered_at, sum(amount) AS total,
           ordered_at::date + 9 + floor(6 * pg_temp.noise('opened', id))::integer AS opened_on
    FROM shop."order" JOIN shop.order_line ON order_id = id
    WHERE status = 'returned' GROUP BY id
) AS returned;

-- ---------------------------------------------------------------- visits to the web shop

DO $$
DECLARE month date := date_trunc('month', current_date - 365);
BEGIN
    WHILE month <= current_date LOOP
        EXECUTE format('CREATE TABLE shop.%I PARTITION OF shop.web_visit FOR VALUES FROM (%L) TO (%L)',
                       'web_visit_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month');
        month := month + interval '1 month';
    END LOOP;
END $$;

INSERT INTO shop.web_visit
SELECT n, current_date - days_ago + CASE WHEN days_ago = 0 THEN (now() - current_date) * pg_temp.noise('hour', n)
                                         ELSE interval '1 day' * pg_temp.noise('hour', n) END,
       CASE WHEN pg_temp.noise('known', n) < 0.35 THEN 1 + floor(1400 * pg_temp.noise('visitor', n))::integer END,
       (CASE WHEN pg_temp.noise('device', n) < 0.52 THEN 'phone'
             WHEN pg_temp.noise('device', n) < 0.91 THEN 'desktop' ELSE 'tablet' END)::shop.device,
       pg_temp.pick('{search,search,search,direct,direct,newsletter,newsletter,social,affiliate}', 'source', n),
       1 + floor(14 * pg_temp.noise('pages', n) ^ 2.2)::integer
FROM generate_series(1, 24000) AS n,
LATERAL (SELECT floor(365 * (n / 24000.0) ^ 1.15)::integer AS days_ago) AS ago;

-- ---------------------------------------------------------------- warehouses

INSERT INTO warehouse.site VALUES
    (1, 'Aire Valley', 'Leeds', 'GB', current_date - 2900), (2, 'Maas Quay', 'Rotterdam', 'NL', current_date - 2300),
    (3, 'Lindenau', 'Leipzig', 'DE', current_date - 1700), (4, 'Confluence', 'Lyon', 'FR', current_date - 1250),
    (5, 'Fjord Hall', 'Bergen', 'NO', current_date - 400);

INSERT INTO warehouse.stock
SELECT site.id, product.id,
       floor(160 * pg_temp.noise('on hand', product.id * 10 + site.id) ^ 1.5)::integer,
       5 * (2 + floor(4 * pg_temp.noise('reorder', product.id)))::integer,
       current_date - floor(90 * pg_temp.noise('counted', product.id * 10 + site.id))::integer
FROM warehouse.site, shop.product
WHERE pg_temp.noise('kept', product.id * 10 + site.id) < CASE site.id WHEN 5 THEN 0.4 ELSE 0.85 END;

INSERT INTO warehouse.shipment
SELECT row_number() OVER (ORDER BY shipped_on, id), id,
       CASE WHEN country_code IN ('GB', 'IE') THEN 1
            WHEN country_code IN ('NO', 'SE') AND ordered_at > current_date - 395 THEN 5
            WHEN country_code IN ('FR', 'ES', 'IT') THEN 4
            WHEN country_code = 'DE' THEN 3 ELSE 2 END,
       carrier, shipped_on,
       CASE WHEN status <> 'shipped' THEN shipped_on + CASE carrier WHEN 'Swift Parcel' THEN 1 WHEN 'Green Van' THEN 3
            ELSE 2 END + floor(3 * pg_temp.noise('transit', id))::integer END
FROM (
    SELECT "order".*, country_code, ordered_at::date + 1 + floor(2 * pg_temp.noise('shipped', "order".id))::integer
           AS shipped_on,
           pg_temp.pick('{Swift Parcel,Green Van,Green Van,Continental Post,Continental Post,Continental Post}',
                        'carrier', "order".id) AS carrier
    FROM shop."order" JOIN shop.customer ON customer.id = customer_id
    WHERE status IN ('shipped', 'delivered', 'returned')
) AS sent;

-- ---------------------------------------------------------------- what analysts start from

CREATE VIEW shop.sales AS
SELECT order_id, line_no, "order".ordered_at, "order".customer_id, "order".channel, product_id, quantity,
       order_line.amount AS revenue
FROM shop.order_line JOIN shop."order" ON "order".id = order_id
WHERE "order".status <> 'cancelled';
COMMENT ON VIEW shop.sales IS 'What counts as revenue: every line of every order that was not cancelled';
COMMENT ON COLUMN shop.sales.revenue IS 'In euro, after discount, without shipping';

CREATE MATERIALIZED VIEW shop.monthly_revenue AS
SELECT date_trunc('month', ordered_at)::date AS month, count(DISTINCT order_id) AS orders, sum(revenue) AS revenue
FROM shop.sales GROUP BY 1 ORDER BY 1;
COMMENT ON MATERIALIZED VIEW shop.monthly_revenue IS 'Revenue of each month, from sales; refreshed every night';
COMMENT ON COLUMN shop.monthly_revenue.month IS 'First day of the month';

CREATE INDEX ON shop."order" (customer_id);
CREATE INDEX ON shop."order" (ordered_at);
CREATE INDEX ON shop.order_line (product_id);
CREATE INDEX ON shop.payment (order_id);
CREATE INDEX ON shop.review (product_id);
CREATE UNIQUE INDEX ON shop.monthly_revenue (month);

DROP FUNCTION pg_temp.pick(text[], text, bigint), pg_temp.noise(text, bigint);
COMMIT;

ANALYZE shop.country, shop.customer, shop.category, shop.supplier, shop.product, shop.coupon, shop."order",
    shop.order_line, shop.payment, shop.review, shop."ReturnRequest", shop.web_visit, shop.monthly_revenue,
    warehouse.site, warehouse.stock, warehouse.shipment;
