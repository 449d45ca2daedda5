"""The paperwork of a survey with a panel says what the panel learns."""

from tests.estimators.paperwork.packs import WEAK, pack


def test_the_panel_is_named_where_there_is_one_and_nowhere_else() -> None:
    with_panel, without = pack({**WEAK, "completion": {"code": "AB12"}}), pack(WEAK)
    for made, has_panel in ((with_panel, True), (without, False)):
        assert ("if you use the code or the link for the panel" in made.consent) == has_panel
        protection = made.parts["data_protection"]
        assert ("the panel learns who took part, and when" in protection) == has_panel
        assert ("The panel receives no answer" in protection) == has_panel
