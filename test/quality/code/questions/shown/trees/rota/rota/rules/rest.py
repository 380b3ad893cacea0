from datetime import timedelta


class Rest:
    def __init__(self, hours: int):
        self.pause = timedelta(hours=hours)

    def allows(self, plan, person, shift) -> bool:
        """Looks both ways: what is planned later must also keep its distance."""
        return all(
            other.end + self.pause <= shift.start or shift.end + self.pause <= other.start
            for other in plan.of(person)
        )
