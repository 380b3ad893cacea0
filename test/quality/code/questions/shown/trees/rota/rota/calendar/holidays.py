from datetime import date, timedelta


def easter(year: int) -> date:
    """The Gregorian computus of Meeus, valid for every year after 1582."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = b // 4, b % 4
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = c // 4, c % 4
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


def public(year: int) -> set[date]:
    sunday = easter(year)
    moving = {sunday + timedelta(days=offset) for offset in (-2, 1, 39, 50)}
    return moving | {date(year, 1, 1), date(year, 5, 1), date(year, 12, 25), date(year, 12, 26)}
