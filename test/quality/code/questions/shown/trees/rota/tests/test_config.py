import pytest

from rota.config import ConfigError, parse


def test_misspelt_rule_is_named():
    with pytest.raises(ConfigError, match="min_rest_hour$"):
        parse({"rules": {"min_rest_hour": 12}})


def test_less_than_the_law():
    with pytest.raises(ConfigError, match="11 hours"):
        parse({"rules": {"min_rest_hours": 8}})
