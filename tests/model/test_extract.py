"""The one rule that takes SQL out of a reply."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nl2sql_fdw.errors import CannotAnswer, NoValidSql
from nl2sql_fdw.model.extract import extract

S = "SELECT count(*) FROM ship"
CTE = "WITH a AS (SELECT 1 x), b AS (SELECT x+1 y FROM a) SELECT y FROM b"

FOUND = {
    "m1 fence": (f"```sql\n{S}\n```", S),
    "m1 fence, no language": (f"```\n{S}\n```", S),
    "fence, other language": (f"```postgresql\n{S};\n```", S),
    "fence, upper case": (f"```SQL\n{S}\n```", S),
    "fence of tildes": (f"~~~sql\n{S}\n~~~", S),
    "fence on one line": (f"```sql {S}```", S),
    "fence on one line, no language": (f"```{S}```", S),
    "fence closed at the end of a line": (f"```sql\n{S}```", S),
    "fence after prose on its line": (f"Here you are: ```sql\n{S}\n```", S),
    "fence never closed": (f"Sure!\n```sql\n{S}", S),
    "fence only closed": (f"{S}\n```\nThat's all.", S),
    "fence in a longer fence": (f"````markdown\nSo:\n```sql\n{S}\n```\n````", S),
    "fence, indented": (f"  1. Run\n     ```sql\n     {S}\n     ```", S),
    "CRLF": (f"```sql\r\n{S}\r\n```\r\n", S),
    "BOM": (f"\ufeff{S};", S),
    "end mark": (f"{S};<|im_end|>", S),
    "m3 the whole of two CTEs": (CTE, CTE),
    "m3 the same, fenced": (f"```sql\n{CTE};\n```", CTE),
    "m5 closed thinking": ("<think>maybe DROP TABLE ship?</think>SELECT 1", "SELECT 1"),
    "thinking with a fence": ("<think>```sql\nSELECT 0\n```</think>\nSELECT 1", "SELECT 1"),
    "thinking twice": ("<think>a</think>\n<think>b</think>\nSELECT 1", "SELECT 1"),
    "thinking, nested": ("<think>a <think>b</think> c</think>SELECT 1", "SELECT 1"),
    "thinking whose tag the prompt opened": ("SQL is needed.\n</think>\n\nSELECT 1", "SELECT 1"),
    "a tag in a string": ("SELECT '<think>' || '</think>'", "SELECT '<think>' || '</think>'"),
    "m9 a tool call in words": ('SELECT 1\n<tool_call>\n{"name": "x"}\n</tool_call>', "SELECT 1"),
    "m10 prose after": ("SELECT 1;\nThis counts ships.", "SELECT 1"),
    "prose after, on the same line": ("SELECT 1; This counts ships.", "SELECT 1"),
    "prose after, no semicolon": (f"{S}\n\nThis doesn't count boats.", S),
    "capitalised SQL, prose after": (
        "Select Count(*)\nFrom Ship\nWhere Name = 'a';\n\nThis counts.",
        "Select Count(*)\nFrom Ship\nWhere Name = 'a'",
    ),
    "capitalised list, prose after": (
        "Select\nName,\nPort From Ship;\n\nThis lists.",
        "Select\nName,\nPort From Ship",
    ),
    "label after": (f"{S}\nExplanation: it counts", S),
    "prose before": (f"To count the ships, do this:\n\n{S};", S),
    "label": (f"SQL: {S};", S),
    "label, bold": (f"**SQL query:** {S};", S),
    "label within prose": (f"You can use this query: {S};", S),
    "in backticks": (f"Use `{S}` for that.", S),
    "several blocks: the last": (f"```sql\nSELECT 1\n```\nBetter:\n```sql\n{S}\n```", S),
    "a result after the query": (f"```sql\n{S}\n```\n```\n count\n-----\n5\n```", S),
    "a row count after the query": (f"```sql\n{S}\n```\n```\n(3 rows)\n```", S),
    "a prose word that starts SQL": (f"With this query:\n\n{S};\n\nShow more?", S),
    "semicolon in a string": ("SELECT ';' AS a; Done.", "SELECT ';' AS a"),
    "semicolon in an escape string": (r"SELECT E'\';' AS a; Done.", r"SELECT E'\';' AS a"),
    "backslash in a plain string": (r"SELECT '\'; It's done.", r"SELECT '\'"),
    "semicolon in a name": ('SELECT 1 AS "a;b""c;"; Done.', 'SELECT 1 AS "a;b""c;"'),
    "semicolon in dollar quotes": ("SELECT $x$;$$;$x$; Done.", "SELECT $x$;$$;$x$"),
    "semicolon in a comment": ("SELECT 1 -- a; b\n;", "SELECT 1 -- a; b"),
    "semicolon in nested comments": ("SELECT /* /* ; */ ; */ 1;", "SELECT /* /* ; */ ; */ 1"),
    "no dollar quote in a name": ("SELECT a$b$ FROM c; D$b$", "SELECT a$b$ FROM c"),
    "leading comment kept": (f"-- ships\n{S};", f"-- ships\n{S}"),
    "trailing comment kept": ("SELECT 1 --", "SELECT 1 --"),
    "trailing comment cut": ("SELECT 1; -- one", "SELECT 1"),
    "r5 several semicolons": ("SELECT 1 ; \n ; ", "SELECT 1"),
    "a fence in a string": ("SELECT '\n```\n'", "SELECT '\n```\n'"),
    "a sentence in a string": ("SELECT 'x\nThis is it.\n'", "SELECT 'x\nThis is it.\n'"),
    "a4 VALUES": ("VALUES (1), (2);", "VALUES (1), (2)"),
    "a4 TABLE": ("TABLE ship", "TABLE ship"),
    "a4 parentheses": ("(SELECT 1) UNION ALL (SELECT 2)", "(SELECT 1) UNION ALL (SELECT 2)"),
    "an unknown start in a block": ("```sql\nEXPLAIN SELECT 1\n```", "EXPLAIN SELECT 1"),
}


@pytest.mark.parametrize(("reply", "sql"), FOUND.values(), ids=FOUND.keys())
def test_the_statement_is_found(reply: str, sql: str) -> None:
    assert extract(reply) == sql


WHOLE = [
    "SELECT 1; INSERT INTO ship VALUES (9)",
    "COMMIT; CREATE TABLE pwn()",
    "/* hi */ SET TRANSACTION READ WRITE; DELETE FROM ship",
    "-- note\nTRUNCATE ship",
    "sElEcT $a$;$a$;deLETE from ship",
    "EXPLAIN ANALYZE WITH z AS (DELETE FROM ship RETURNING 1) TABLE z",
    "ANALYZE DELETE FROM ship",
    "WITH z AS (UPDATE ship SET n=0 RETURNING 1) SELECT count(*) FROM z",
    "WITH a AS (SELECT 1) DELETE FROM ship",
    "ATTACH 'x.db' AS x",
    "PRAGMA writable_schema=1",
    "SELECT 1;;\n-- x\n; DROP TABLE ship;",
    "SELECT 1; SELECT 2;",
    "SELECT 1; Delete from ship",
    "SELECT 'unclosed; DROP TABLE ship",
]


@pytest.mark.parametrize("reply", WHOLE)
@pytest.mark.parametrize("form", ["{}", "```sql\n{}\n```", "SQL: {}", "<think>x</think>{}"])
def test_what_the_guard_must_refuse_reaches_it_whole(reply: str, form: str) -> None:
    assert extract(form.format(reply)) == reply.rstrip(";") or extract(form.format(reply)) == reply
    assert extract(form.format(reply)).count(";") >= reply.rstrip(";").count(";")


PROSE = {
    "m4": ("I lack a table about weather.", "I lack a table about weather."),
    "agreed form": ("CANNOT ANSWER: no weather here", "no weather here"),
    "agreed form, fenced": ("```\nCANNOT ANSWER: no weather here\n```", "no weather here"),
    "agreed form, in a comment": ("-- CANNOT ANSWER: no weather", "no weather"),
    "agreed form, no reason": ("CANNOT ANSWER", "it gave no reason."),
    "agreed form, after prose": ("Sorry.\nCANNOT ANSWER: no weather", "no weather"),
    "agreed form, then SQL": ("CANNOT ANSWER: no weather\nSELECT 1", "no weather"),
    "starts like SQL": ("Table ship has no weather.", "Table ship has no weather."),
    "a question": ("Do you mean ships or boats?", "Do you mean ships or boats?"),
    "an order": ("Select a table with weather first.", "Select a table with weather first."),
}


@pytest.mark.parametrize(("reply", "reason"), PROSE.values(), ids=PROSE.keys())
def test_m4_prose_is_no_sql(reply: str, reason: str) -> None:
    with pytest.raises(CannotAnswer) as caught:
        extract(reply)
    assert caught.value.message == f"The model cannot answer this: {reason}"
    assert caught.value.hint


@pytest.mark.parametrize(
    "reply", ["", " \n", "\ufeff", "{}", "[]", '{"sql": ""}', "```\n```", "...", "<think>hm"]
)
def test_nothing_usable_is_no_valid_sql(reply: str) -> None:
    with pytest.raises(NoValidSql):
        extract(reply)


def test_m5_unclosed_thinking_is_refused_whatever_it_thinks() -> None:
    with pytest.raises(NoValidSql, match="still thinking"):
        extract("<think>I could run\nSELECT 1;\n")


@pytest.mark.parametrize("reply", ["SELECT 1 WHERE y = 20", "```sql\nSELECT 1 WHERE y = 20"])
def test_sql_that_was_cut_off_is_refused(reply: str) -> None:
    with pytest.raises(NoValidSql, match="cut off") as caught:
        extract(reply, cut_off=True)
    assert "max_output_tokens" in caught.value.hint


@pytest.mark.parametrize("reply", ["SELECT 1; It cou", "```sql\nSELECT 1\n```\nIt cou"])
def test_prose_that_was_cut_off_does_no_harm(reply: str) -> None:
    assert extract(reply, cut_off=True) == "SELECT 1"


literal = st.text(st.characters(exclude_characters="\0'"), max_size=30).map(lambda s: "'" + s + "'")
statement = st.lists(literal, min_size=1, max_size=4).map(lambda s: "SELECT " + ", ".join(s))
around = st.sampled_from(
    ["{}", "{};", "```sql\n{}\n```", "```\n{};\n```", "SQL:\n{};", "<think>hm; it's</think>\n{}"]
)


@settings(deadline=None)
@given(statement, around)
def test_whatever_stands_in_literals_comes_back_verbatim(sql: str, form: str) -> None:
    if "```" in sql or "~~~" in sql:
        return
    assert extract(form.replace("{}", sql)) == sql


@settings(deadline=None)
@given(statement)
def test_extracting_twice_changes_nothing(sql: str) -> None:
    assert extract(extract(sql + ";")) == extract(sql + ";")


@settings(deadline=None)
@given(st.text(st.sampled_from("SELECT 1;'\"$`-/*\n()<think>aT.:{}~"), max_size=80))
def test_noise_gives_sql_or_one_of_two_errors(text: str) -> None:
    try:
        sql = extract(text)
    except (CannotAnswer, NoValidSql):
        return
    assert sql and sql in text.replace("\ufeff", "")


@settings(deadline=None)
@given(statement, st.sampled_from(["DROP TABLE ship", "delete from ship", "COMMIT"]))
def test_a_second_statement_is_never_lost(sql: str, second: str) -> None:
    assert second in extract(f"{sql}; {second}")


@pytest.mark.parametrize("piece", ["(", "/*", "```\n", "$a$", "`", "<think>", "a: ", "A b.\n", "'"])
def test_a_long_reply_takes_no_long_time(piece: str) -> None:
    started = time.perf_counter()
    for reply in (piece * 20_000, "SELECT 1 " + piece * 20_000):
        try:
            extract(reply)
        except (CannotAnswer, NoValidSql):
            continue
    assert time.perf_counter() - started < 2
