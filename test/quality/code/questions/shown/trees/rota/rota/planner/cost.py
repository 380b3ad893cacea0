from statistics import pstdev


def cost(plan, ward) -> float:
    weekends = [sum(s.start.weekday() >= 5 for s in plan.of(p)) for p in ward.staff]
    nights = [sum(s.is_night for s in plan.of(p)) for p in ward.staff]
    return 100 * len(plan.gaps()) + ward.fairness_weight * (pstdev(weekends) + pstdev(nights))
