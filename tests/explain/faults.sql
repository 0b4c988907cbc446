-- Blocks: a check, a SELECT in which it finds its fault, and a sound twin.

-- cross_join
SELECT count(*) FROM customer, orders;
SELECT count(*) FROM customer c, orders o WHERE c.id = o.customer_id;

-- cross_join
SELECT c.name FROM customer c JOIN orders o ON o.customer_id = o.customer_id;
SELECT c.name, m.top FROM customer c CROSS JOIN (SELECT max(total) AS top FROM orders) m;

-- cross_join
SELECT c.name FROM customer c JOIN orders o ON true WHERE c.city = 'Delft';
SELECT c.name FROM customer c, generate_series(1, 3) g;

-- cross_join
SELECT c.name FROM customer c, LATERAL (SELECT max(id) AS i FROM orders GROUP BY status) o;
SELECT c.name FROM customer c, LATERAL (SELECT * FROM orders o WHERE o.customer_id = c.id) x;

-- wrong_key
SELECT c.name FROM customer c JOIN orders o ON c.credit = o.parcels;
SELECT c.name FROM customer c JOIN orders o ON c.id = o.customer_id AND c.credit = o.parcels;

-- no_key
SELECT o.id FROM orders o JOIN product p ON p.orders_sold = o.parcels;
SELECT o.id FROM orders o JOIN review r ON r.customer_id = o.customer_id;

-- fan_out
SELECT sum(o.total) FROM orders o JOIN item i ON i.order_id = o.id WHERE i.price > 3;
SELECT sum(i.price) FROM orders o JOIN item i ON i.order_id = o.id;

-- fan_out
SELECT c.name, sum(o.total) FROM customer c JOIN orders o ON o.customer_id = c.id
  JOIN review r ON r.customer_id = c.id GROUP BY c.name;
SELECT c.name, sum(o.total) FROM customer c JOIN orders o ON o.customer_id = c.id GROUP BY c.name;

-- outer_undone
SELECT c.name FROM customer c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.status = 'open';
SELECT c.name FROM customer c LEFT JOIN orders o ON o.customer_id = c.id AND o.status = 'open';

-- outer_undone
SELECT c.id FROM orders o RIGHT JOIN customer c ON o.customer_id = c.id WHERE o.total > 5;
SELECT c.id FROM customer c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL;

-- counts_absent
SELECT c.id, count(*) FROM customer c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id;
SELECT c.id, count(o.id) FROM customer c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id;

-- never_true
SELECT id FROM orders WHERE status = 'open' AND status = 'paid';
SELECT id FROM orders WHERE status = 'open' OR status = 'paid';

-- never_true
SELECT c.id FROM customer c JOIN orders o ON o.customer_id = c.id AND o.status = 'a' WHERE o.status = 'b';
SELECT c.id FROM customer c JOIN orders o ON o.customer_id = c.id AND o.status = 'a' WHERE c.city = 'b';

-- equals_null
SELECT id FROM orders WHERE customer_id = NULL;
SELECT id FROM orders WHERE customer_id IS NULL;

-- equals_null
SELECT id FROM orders WHERE status NOT IN ('open', NULL);
SELECT id FROM orders WHERE status NOT IN ('open', 'paid');

-- not_in_null
SELECT id FROM customer WHERE id NOT IN (SELECT customer_id FROM orders);
SELECT id FROM customer WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL);

-- not_in_null
SELECT id FROM product WHERE id NOT IN (SELECT product_id FROM item);
SELECT id FROM orders WHERE id NOT IN (SELECT order_id FROM item);

-- day_cut_short
SELECT id FROM orders WHERE placed_at BETWEEN '2024-01-01' AND '2024-01-31';
SELECT id FROM orders WHERE placed_at >= '2024-01-01' AND placed_at < '2024-02-01';

-- day_cut_short
SELECT id FROM orders WHERE placed_at = DATE '2024-01-01';
SELECT id FROM orders WHERE placed_at::date = '2024-01-01';

-- day_cut_short
SELECT id FROM customer WHERE joined_at <= '2024-01-01';
SELECT id FROM customer WHERE born <= '2024-01-01';

-- compares_as_text
SELECT id FROM customer WHERE age > '30';
SELECT id FROM customer WHERE age::int > 30;

-- compares_as_text
SELECT id FROM customer WHERE age BETWEEN '5' AND '30';
SELECT id FROM customer WHERE city > 'M';

-- date_as_text
SELECT id FROM orders WHERE placed_at::text LIKE '2024%';
SELECT id FROM orders WHERE status LIKE '2024%';

-- date_as_text
SELECT id FROM customer WHERE age < now()::text;
SELECT id FROM customer WHERE born < now();

-- integer_division
SELECT count(*) FILTER (WHERE status = 'open') / count(*) FROM orders;
SELECT count(*) FILTER (WHERE status = 'open') * 100.0 / count(*) FROM orders;

-- integer_division
SELECT sum(parcels) / NULLIF(count(*), 0) FROM orders;
SELECT sum(parcels)::float / NULLIF(count(*), 0) FROM orders;

-- integer_division
WITH m AS (SELECT status, count(*) AS n FROM orders GROUP BY status) SELECT n / (SELECT 7), n / n FROM m;
SELECT parcels / 10 FROM orders;

-- limit_unordered
SELECT name FROM customer LIMIT 1;
SELECT name FROM customer ORDER BY credit DESC LIMIT 1;

-- limit_unordered
SELECT city, count(*) FROM customer GROUP BY city LIMIT 3;
SELECT count(*) FROM customer LIMIT 1;

-- distinct_measure
SELECT sum(DISTINCT o.total) FROM orders o JOIN item i ON i.order_id = o.id;
SELECT count(DISTINCT o.id) FROM orders o JOIN item i ON i.order_id = o.id;

-- grouped_measure
SELECT customer_id, sum(o.total) FROM orders o GROUP BY customer_id, total;
SELECT customer_id, total, count(*) FROM orders GROUP BY 1, 2;

-- grouped_by_name
SELECT c.name, count(*) FROM customer c JOIN orders o ON o.customer_id = c.id GROUP BY c.name;
SELECT c.name, count(*) FROM customer c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name;
