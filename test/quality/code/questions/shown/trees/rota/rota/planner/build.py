from rota.calendar.pattern import shifts
from rota.model import Plan
from rota.rules.leave import Leave
from rota.rules.nights import Nights
from rota.rules.rest import Rest
from rota.rules.skill import Skill


def rules_of(ward):
    return [Skill(), Leave(), Rest(ward.min_rest_hours), Nights(ward.max_nights_in_row)]


def handle(ward, start, weeks) -> Plan:
    """The hardest first: shifts that few people can work are given away before the others."""
    plan = Plan({})
    rules = rules_of(ward)
    open_shifts = sorted(
        shifts(start, weeks), key=lambda s: (sum(s.skill in p.skills for p in ward.staff), s.start)
    )
    for shift in open_shifts:
        able = [p for p in ward.staff if all(rule.allows(plan, p, shift) for rule in rules)]
        plan.assigned[shift] = min(able, key=lambda p: worked(plan, p) / p.hours, default=None)
    return plan


def worked(plan, person) -> float:
    return sum(shift.hours for shift in plan.of(person))
