import tomllib
from dataclasses import dataclass, field

from rota.model import Person


class ConfigError(Exception):
    pass


@dataclass
class Config:
    min_rest_hours: int = 11
    max_nights_in_row: int = 4
    fairness_weight: float = 1.0
    staff: list[Person] = field(default_factory=list)


def load(path: str) -> Config:
    with open(path, "rb") as file:
        return parse(tomllib.load(file))


def parse(raw: dict) -> Config:
    """Refuses keys that it doesn't know, because a typing error would silently relax a rule."""
    rules = raw.get("rules", {})
    unknown = set(rules) - set(Config.__dataclass_fields__)
    if unknown:
        raise ConfigError(f"unknown rule: {', '.join(sorted(unknown))}")
    if rules.get("min_rest_hours", 11) < 11:
        raise ConfigError("the law asks for 11 hours of rest")
    return Config(**rules, staff=[Person(**one) for one in raw.get("staff", [])])
