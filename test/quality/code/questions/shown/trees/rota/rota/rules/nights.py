from datetime import timedelta


class Nights:
    def __init__(self, most: int):
        self.most = most

    def allows(self, plan, person, shift) -> bool:
        if not shift.is_night:
            return True
        dark = {other.start.date() for other in plan.of(person) if other.is_night}
        run, day = 1, shift.start.date() - timedelta(days=1)
        while day in dark:
            run, day = run + 1, day - timedelta(days=1)
        return run <= self.most
