from rota.planner.repair import exchange, legal


class SwapRefused(Exception):
    pass


def handle(plan, ward, offered, wanted, agreed_by):
    """Two colleagues change places once both have said yes."""
    partners = {plan.assigned[offered].name, plan.assigned[wanted].name}
    if set(agreed_by) != partners:
        raise SwapRefused("both colleagues have to agree")
    exchange(plan, offered, wanted)
    if not legal(plan, ward, (offered, wanted)):
        exchange(plan, offered, wanted)
        raise SwapRefused("the swap would break a rule")
