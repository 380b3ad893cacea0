from typing import Protocol

from rota.model import Person, Plan, Shift


class Rule(Protocol):
    def allows(self, plan: Plan, person: Person, shift: Shift) -> bool: ...
