from datetime import date, datetime, time, timedelta

from rota.calendar.holidays import public
from rota.model import Shift

TIMES = {"early": (time(6), 8), "late": (time(14), 8), "night": (time(22), 8)}


def shifts(start: date, weeks: int):
    """Every day needs two nurses early and late, one at night; holidays and Sundays need one of each."""
    for offset in range(weeks * 7):
        day = start + timedelta(days=offset)
        quiet = day.weekday() == 6 or day in public(day.year)
        for name, (begins, hours) in TIMES.items():
            count = 1 if quiet or name == "night" else 2
            first = datetime.combine(day, begins)
            for number in range(count):
                yield Shift(first, first + timedelta(hours=hours), "lead" if number else "nurse")
