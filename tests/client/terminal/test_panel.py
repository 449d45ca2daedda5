"""A panel in a terminal: the code and the link are printed, and no parameter reaches the server."""

from pathlib import Path
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from client.terminal.transport import SurveyLink
from server.data_folder import DataFolder
from tests.client.terminal.test_answer import rehearsal_of, reports, run_answer
from tests.support.live import everywhere
from tests.support.live import live as run_live

LINK = "https://panel.example/done?cc=AB12"
COMPLETION = {"code": "AB12", "redirect": LINK, "pass_on": ["PID", "SESSION"]}
ANSWERS = "2\n1\ny\n"
PID = "5f3acanary"


def test_the_code_and_the_link_are_printed_after_sending_and_again(
    folder: DataFolder, draft: dict[str, Any], tmp_path: Path
) -> None:
    study = {**draft, "completion": COMPLETION, "closing": "Whom to call: 116 117"}
    with run_live(folder, study) as live:
        fragment = f"#{live.survey.fingerprint};PID={PID};OTHER=1;SESSION=a%26b"
        outbox = tmp_path / "outbox"
        for typed in (ANSWERS, ""):
            result = run_answer(live, outbox, typed, fragment)
            assert result.exit_code == 0, result.output
            assert "Your completion code: AB12\n" in result.output
            # Nobody leaves for the panel before they have read whom to call.
            assert result.output.index("116 117") < result.output.index("AB12")
            assert f"Go back to the panel: {LINK}&PID={PID}\n" in result.output
        assert len(reports(live)) == 1
        assert f"Go back to the panel: {LINK}\n" in run_answer(live, outbox, "").output
        assert PID.encode() not in everywhere(folder)
        assert PID not in "".join(path.read_text() for path in outbox.iterdir())


def test_a_draft_prints_them_too(folder: DataFolder, draft: dict[str, Any], tmp_path: Path) -> None:
    with run_live(folder, draft) as live:
        rehearsal = rehearsal_of(live, {**draft, "completion": COMPLETION})
        result = run_answer(rehearsal, tmp_path / "outbox", ANSWERS)
        assert "Your completion code: AB12\n" in result.output


def test_an_invitation_and_parameters_travel_in_one_link_in_any_order() -> None:
    key = f"0-1.{'b' * 64}"
    for parts in ([key, "PID=x", "a.b~c=1"], ["PID=x", key]):
        link = SurveyLink.parse(f"https://host/s/slug#{'a' * 64};{';'.join(parts)}")
        assert (link.invitation, link.parameters) == (key, {"PID": "x"})


def test_the_link_of_a_kiosk_is_for_a_browser() -> None:
    with pytest.raises(Refusal, match="open it in a browser"):
        SurveyLink.parse(f"https://host/s/slug#{'a' * 64};kiosk")
