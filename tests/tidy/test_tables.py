"""A table of cases is as strict as a test for each."""

import pytest

from strategies.tables import table


def test_every_row_is_tried_and_all_that_fail_are_told():
    tried = []

    @table("number, square", [(1, 1), (2, 5), (3, 9), (4, 17)])
    def check(number, square):
        tried.append(number)
        assert number**2 == square

    with pytest.raises(pytest.fail.Exception, match=r"2 of 4 rows\n(.|\n)*number=2(.|\n)*number=4"):
        check()
    assert tried == [1, 2, 3, 4]


def test_an_error_and_what_was_not_raised_fail_a_row():
    def fail_for(wanted):
        if wanted is not KeyError:
            raise ValueError("no")

    @table("wanted", [ValueError, KeyError, TypeError])
    def check(wanted):
        with pytest.raises(wanted):
            fail_for(wanted)

    with pytest.raises(pytest.fail.Exception, match="2 of 3 rows"):
        check()


@table("letter", "ab")
def test_fixtures_are_given_beside_the_row(tmp_path, letter):
    (tmp_path / letter).write_text(letter)
    assert (tmp_path / letter).read_text() == letter


def test_a_table_without_rows_is_refused():
    with pytest.raises(AssertionError, match="proves nothing"):
        table("row", [])
