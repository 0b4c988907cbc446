CREATE TABLE author (id integer PRIMARY KEY, name text, country text);
CREATE TABLE book (id integer PRIMARY KEY, title text, author_id integer REFERENCES author, genre text, pages integer);
CREATE TABLE member (id integer PRIMARY KEY, name text, city text);
CREATE TABLE loan (id integer PRIMARY KEY, book_id integer NOT NULL REFERENCES book, member_id integer REFERENCES member);
CREATE TABLE teacher (id integer PRIMARY KEY, name text, town text);
CREATE TABLE pupil (id integer PRIMARY KEY, name text, town text, birth_year integer);
CREATE TABLE course (id integer PRIMARY KEY, title text, credits integer, teacher_id integer REFERENCES teacher);
CREATE TABLE enrolment (pupil_id integer NOT NULL REFERENCES pupil, course_id integer REFERENCES course, grade numeric);
CREATE TABLE doctor (id integer PRIMARY KEY, name text);
CREATE TABLE patient (id integer PRIMARY KEY, name text);
CREATE TABLE visit (id integer PRIMARY KEY, doctor_id integer REFERENCES doctor, patient_id integer REFERENCES patient,
                    visited_on date, fee numeric, insured boolean);
CREATE TABLE car (id integer PRIMARY KEY, plate text, model text);
CREATE TABLE mechanic (id integer PRIMARY KEY, name text, boss_id integer REFERENCES mechanic);
CREATE TABLE repair (id integer PRIMARY KEY, car_id integer REFERENCES car, mechanic_id integer REFERENCES mechanic,
                     cost numeric, started_on date, finished_on date);

INSERT INTO author VALUES (1, 'Ada', 'SE'), (2, 'Ben', 'DK');
INSERT INTO book VALUES (1, 'Tides', 1, 'novel', 300), (2, 'Stones', 1, 'novel', 200), (3, 'Knots', 2, 'craft', 90),
  (4, 'a', 1, 'novel', 1), (5, 'b', 1, 'novel', 2), (6, 'c', 1, 'novel', 3), (7, 'd', 1, 'novel', 4), (8, 'e', 1, 'novel', 5),
  (9, 'f', 1, 'novel', 6), (10, 'g', 1, 'novel', 7), (11, 'h', 1, 'novel', 8), (12, 'i', 1, 'novel', 9);
INSERT INTO member VALUES (1, 'Cy', 'Lund'), (2, 'Di', 'Lund'), (3, 'Ed', 'Ystad');
INSERT INTO loan VALUES (1, 1, 1), (2, 2, 1), (3, 1, 1), (4, 2, 2);
INSERT INTO teacher VALUES (1, 'Bo', 'Ystad'), (2, 'Eva', 'Lund');
INSERT INTO pupil VALUES (1, 'Fia', 'Lund', 2010), (2, 'Gus', 'Lund', 2011), (3, 'Hal', 'Lund', 2014);
INSERT INTO course VALUES (1, 'Latin', 5, 1), (2, 'Music', 15, 2), (3, 'Chemistry', 7, 2);
INSERT INTO enrolment VALUES (1, 1, 4), (1, 2, 5), (2, 3, 3), (1, 3, 5);
INSERT INTO doctor VALUES (1, 'Ivy'), (2, 'Jon');
INSERT INTO patient VALUES (1, 'Kai'), (2, 'Lea');
INSERT INTO visit VALUES (1, 1, 1, '2024-03-05', 80, true), (2, 1, 2, '2024-04-05', 60, false), (3, 1, 2, '2023-04-05', 60, false);
INSERT INTO car VALUES (1, 'ABC 1', 'Vega'), (2, 'ABC 2', 'Vega'), (3, 'ABC 3', 'Lyra');
INSERT INTO mechanic VALUES (1, 'Mia', NULL), (2, 'Ned', 1);
INSERT INTO repair VALUES (1, 1, 1, 100, '2024-01-02', '2024-01-05'), (2, 1, 2, 50, '2024-02-02', NULL),
  (3, 3, 1, 70, '2024-02-03', '2024-02-04');
