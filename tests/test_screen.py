"""The question screen: a request to write is declined, a question that sounds like one is not."""

from __future__ import annotations

import time

import pytest

from nl2sql_fdw import screen
from nl2sql_fdw.errors import Refused
from nl2sql_fdw.types import Profile

REQUESTS = """
delete all cancelled orders
Delete the customer with id 5
please delete order 17
could you please delete all test users?
I want you to delete everything from orders
Erase every record of last year
DROP TABLE ship; --
drop the orders table
Drop all tables
truncate table payments
alter table orders add column note text
rename the column total to amount
purge all logs older than a year
wipe the database
cancel all open orders
remove all test rows
remove customer 5 from the database
insert a new customer named Bob
INSERT INTO orders VALUES (1)
add a customer named Bob to the customer table
update all prices by 10%
update the price of product 5 to 10
UPDATE orders SET status = 'paid'
set the price of product 5 to 10
create an index on orders
create table t (a int)
create user bob
grant all on orders to bob
grant select on orders to bob
borra todos los pedidos cancelados
Por favor, elimina los clientes inactivos
apague todos os pedidos
cancella tutti gli ordini
supprime toutes les commandes annulées
Supprimez les clients inactifs
lösche alle stornierten Bestellungen
Bitte alle stornierten Bestellungen löschen
verwijder alle bestellingen
удали все отменённые заказы
キャンセルされた注文を削除してください
删除所有已取消的订单
请把已取消的订单删除
"""

QUESTIONS = """
show deleted orders
how many orders were deleted last week?
which users deleted their account?
deleted orders by month
delete events by day
delete requests per user
delete rate by region
delete and insert counts per table
update me on sales
Update us on the sales figures
update on sales please
updates by month
update count by table
last update of each customer
drop-off points by city
drop off points by city
drop in sales last month
drop rate by funnel step
drops in temperature per station
truncated readings per sensor
cancel rate by channel
cancelled orders
cancellations by reason
remove outliers and show the average price
remove duplicates and list the customers
insert rate per hour
inserts per table
inserted rows yesterday
add up all payments of March
add a column with the total and list the orders
create a report of sales by month
create a table of sales by month
create a view of the top customers
created orders by day
grant recipients by year
grants to universities
grant amounts to each lab
set of products never ordered
sets sold by theme
settings changed last week
rename requests
alterations per tailor
altered garments
purge rate
wiped devices
erased tapes by month
please show the orders that were deleted
can you show me who can delete records?
who may drop tables?
what would happen if we deleted all orders?
¿cuántos pedidos se eliminaron?
pedidos eliminados por mes
elimination rounds by team
lista de productos borrados
combien de commandes ont été supprimées ?
commandes supprimées
welche Bestellungen kann ich löschen?
gelöschte Bestellungen
die Bestellungen, die wir löschen?
verwijderde bestellingen
удалённые заказы
削除された注文は?
删除的订单有多少
删除了多少订单?
how many customers are there?
top 5 customers by revenue
"""


@pytest.mark.parametrize("question", REQUESTS.strip().splitlines())
def test_a_request_to_write_is_declined(question: str):
    with pytest.raises(Refused) as caught:
        screen.admit(question, Profile())
    assert caught.value.sqlstate == "N2001" and "only reads" in str(caught.value)


@pytest.mark.parametrize("question", QUESTIONS.strip().splitlines())
def test_a_question_is_not(question: str):
    screen.admit(question, Profile())


def test_the_longest_question_is_screened_in_a_moment():
    hostile = ["please " * 570, "update x " * 440, "remove all " + "a " * 1900, "把" * 1300,
               "set the " + "x " * 1900, "alle " + "löschen " * 400]  # fmt: skip
    began = time.perf_counter()
    for question in hostile:
        screen.asks_for_a_change(question)
    assert time.perf_counter() - began < 0.5
