import random

from rota.planner.build import rules_of
from rota.planner.cost import cost


def improve(plan, ward, rounds=500, seed=7):
    """Exchanges two people at random and keeps the exchange when it costs less."""
    dice = random.Random(seed)
    best = cost(plan, ward)
    taken = [shift for shift, person in plan.assigned.items() if person]
    for _ in range(rounds if len(taken) > 1 else 0):
        one, other = dice.sample(taken, 2)
        exchange(plan, one, other)
        now = cost(plan, ward)
        if now < best and legal(plan, ward, (one, other)):
            best = now
        else:
            exchange(plan, one, other)
    return plan


def exchange(plan, one, other):
    plan.assigned[one], plan.assigned[other] = plan.assigned[other], plan.assigned[one]


def legal(plan, ward, changed) -> bool:
    for shift in changed:
        person = plan.assigned[shift]
        plan.assigned[shift] = None
        fine = all(rule.allows(plan, person, shift) for rule in rules_of(ward))
        plan.assigned[shift] = person
        if not fine:
            return False
    return True
