-- Written for nl2sql: questions and SQL on made-up tables of a library, a school, a clinic and a
-- garage. A block is the question, a line "only:" where just one dialect has it, and the SQL.
-- tests/examples/tables.sql has the tables; a test runs every block on the dialects it is for.

-- How many books are there?
SELECT count(*) FROM book

-- How many members live in the city of Lund?
SELECT count(*) FROM member WHERE city = 'Lund'

-- How many different cities do the members come from?
SELECT count(DISTINCT city) FROM member

-- How many books does each genre have?
SELECT genre, count(*) FROM book GROUP BY genre

-- For each author, show the name and the number of books written.
SELECT a.name, count(*) FROM author a JOIN book b ON b.author_id = a.id GROUP BY a.id, a.name

-- Which genres have more than 10 books?
SELECT genre FROM book GROUP BY genre HAVING count(*) > 10

-- Which members have at least 3 loans?
SELECT m.name FROM member m JOIN loan l ON l.member_id = m.id GROUP BY m.id, m.name HAVING count(*) >= 3

-- What are the titles of the 5 longest books?
SELECT title FROM book ORDER BY pages DESC LIMIT 5

-- Which member has the most loans?
SELECT m.name FROM member m JOIN loan l ON l.member_id = m.id GROUP BY m.id, m.name ORDER BY count(*) DESC LIMIT 1

-- Which books have never been lent?
SELECT title FROM book WHERE id NOT IN (SELECT book_id FROM loan)

-- How many pupils do not take any course?
SELECT count(*) FROM pupil WHERE id NOT IN (SELECT pupil_id FROM enrolment)

-- Which pupils take both Latin and Music?
SELECT p.name FROM pupil p JOIN enrolment e ON e.pupil_id = p.id JOIN course c ON c.id = e.course_id WHERE c.title = 'Latin' INTERSECT SELECT p.name FROM pupil p JOIN enrolment e ON e.pupil_id = p.id JOIN course c ON c.id = e.course_id WHERE c.title = 'Music'

-- Which towns have a teacher but no pupil?
SELECT town FROM teacher EXCEPT SELECT town FROM pupil

-- Which towns have a teacher or a pupil?
SELECT town FROM teacher UNION SELECT town FROM pupil

-- Which courses have more credits than the average course?
SELECT title FROM course WHERE credits > (SELECT avg(credits) FROM course)

-- What are the smallest, the average and the largest grade in the course Chemistry?
SELECT min(e.grade), avg(e.grade), max(e.grade) FROM enrolment e JOIN course c ON c.id = e.course_id WHERE c.title = 'Chemistry'

-- What is the average grade of each pupil, best first?
SELECT p.name, avg(e.grade) FROM pupil p JOIN enrolment e ON e.pupil_id = p.id GROUP BY p.id, p.name ORDER BY avg(e.grade) DESC

-- List the names of the pupils born between 2010 and 2012, in alphabetical order.
SELECT name FROM pupil WHERE birth_year BETWEEN 2010 AND 2012 ORDER BY name

-- Which teachers have a name that starts with B?
SELECT name FROM teacher WHERE name LIKE 'B%'

-- What share of the visits was paid by an insurer, in percent?
SELECT 100.0 * sum(CASE WHEN insured THEN 1 ELSE 0 END) / count(*) FROM visit

-- What is the total fee for each doctor, also for those without a visit?
SELECT d.name, coalesce(sum(v.fee), 0) FROM doctor d LEFT JOIN visit v ON v.doctor_id = d.id GROUP BY d.id, d.name

-- How many visits were there in each month of 2024?
-- only: postgres
SELECT date_trunc('month', visited_on) AS month, count(*) FROM visit WHERE visited_on >= DATE '2024-01-01' AND visited_on < DATE '2025-01-01' GROUP BY 1 ORDER BY 1

-- How many visits were there in each month of 2024?
-- only: sqlite
SELECT strftime('%Y-%m', visited_on) AS month, count(*) FROM visit WHERE visited_on >= '2024-01-01' AND visited_on < '2025-01-01' GROUP BY 1 ORDER BY 1

-- How many patients were seen in the last 30 days?
-- only: postgres
SELECT count(DISTINCT patient_id) FROM visit WHERE visited_on >= CURRENT_DATE - INTERVAL '30 days'

-- How many patients were seen in the last 30 days?
-- only: sqlite
SELECT count(DISTINCT patient_id) FROM visit WHERE visited_on >= date('now', '-30 days')

-- How many days does a repair take on average?
-- only: postgres
SELECT avg(finished_on - started_on) FROM repair

-- How many days does a repair take on average?
-- only: sqlite
SELECT avg(julianday(finished_on) - julianday(started_on)) FROM repair

-- Which repairs are not finished yet?
SELECT id FROM repair WHERE finished_on IS NULL

-- For each car, what was the cost of its latest repair?
SELECT c.plate, r.cost FROM car c JOIN (SELECT car_id, cost, row_number() OVER (PARTITION BY car_id ORDER BY started_on DESC) AS place FROM repair) r ON r.car_id = c.id WHERE r.place = 1

-- Rank the mechanics by the total cost of their repairs.
SELECT m.name, sum(r.cost) AS total, rank() OVER (ORDER BY sum(r.cost) DESC) FROM mechanic m JOIN repair r ON r.mechanic_id = m.id GROUP BY m.id, m.name

-- What is the running total of the repair costs by date?
SELECT started_on, sum(sum(cost)) OVER (ORDER BY started_on) AS running_total FROM repair GROUP BY started_on ORDER BY started_on

-- Show each mechanic with the name of the boss.
SELECT m.name, b.name AS boss FROM mechanic m JOIN mechanic b ON b.id = m.boss_id

-- Which mechanics have repaired every model of car?
SELECT m.name FROM mechanic m JOIN repair r ON r.mechanic_id = m.id JOIN car c ON c.id = r.car_id GROUP BY m.id, m.name HAVING count(DISTINCT c.model) = (SELECT count(DISTINCT model) FROM car)

-- What is the most common model of car?
SELECT model FROM car GROUP BY model ORDER BY count(*) DESC LIMIT 1
