from datetime import datetime

from rota.model import Person, Plan, Shift
from rota.rules.rest import Rest


def test_early_after_late_is_refused():
    ada = Person("Ada", ["nurse"], 38)
    late = Shift(datetime(2024, 5, 6, 14), datetime(2024, 5, 6, 22), "nurse")
    early = Shift(datetime(2024, 5, 7, 6), datetime(2024, 5, 7, 14), "nurse")
    assert not Rest(11).allows(Plan({late: ada}), ada, early)
