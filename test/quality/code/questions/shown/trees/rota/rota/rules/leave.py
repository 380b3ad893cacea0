class Leave:
    def allows(self, plan, person, shift) -> bool:
        """A night that ends on the first morning of a holiday is refused as well."""
        return not any(first <= shift.end.date() and shift.start.date() <= last for first, last in person.leave)
