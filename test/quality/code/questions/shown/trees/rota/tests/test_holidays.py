from datetime import date

import pytest

from rota.calendar.holidays import easter


@pytest.mark.parametrize("year, expected", [(2024, date(2024, 3, 31)), (2025, date(2025, 4, 20))])
def test_moving_sunday(year, expected):
    assert easter(year) == expected
