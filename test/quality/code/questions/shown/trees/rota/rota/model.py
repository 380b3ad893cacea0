from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Shift:
    start: datetime
    end: datetime
    skill: str

    @property
    def hours(self) -> float:
        return (self.end - self.start).total_seconds() / 3600

    @property
    def is_night(self) -> bool:
        return self.end.date() > self.start.date()


@dataclass
class Person:
    name: str
    skills: list[str]
    hours: int
    leave: list[tuple] = field(default_factory=list)

    def __hash__(self):
        return hash(self.name)


@dataclass
class Plan:
    assigned: dict[Shift, Person | None]

    def of(self, person: Person) -> list[Shift]:
        return sorted((s for s, p in self.assigned.items() if p == person), key=lambda s: s.start)

    def gaps(self) -> list[Shift]:
        return [shift for shift, person in self.assigned.items() if person is None]
