"""Refusals say what is wrong, to programs and to people."""

from domain.kernel.errors import DomainError, IllegalCommand


def test_a_refusal_names_the_rule_the_reason_and_a_sentence() -> None:
    refused = IllegalCommand("TRIC-5.3", "bid_too_low", "Bid more, or pass.")
    assert (refused.rule, refused.reason, refused.detail) == ("TRIC-5.3", "bid_too_low", "Bid more, or pass.")
    assert str(refused) == "TRIC-5.3 bid_too_low: Bid more, or pass."
    assert isinstance(refused, DomainError)
