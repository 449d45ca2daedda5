"""What monitoring hears: whether the server works, and nothing that a respondent moves."""

from prometheus_client.parser import text_string_to_metric_families

from server.web.metrics import STEP
from tests.support.live import JSON, Live

DISK = "candor_disk_free_bytes"


def metrics(live: Live) -> dict[str, float]:
    key = live.folder.operator_key
    answer = live.send("GET", "/api/metrics", headers={"Authorization": f"Bearer {key}"})
    assert answer.status == 200
    # The parser of Prometheus's own client decides whether this is its format.
    families = text_string_to_metric_families(answer.body.decode())
    return {
        ",".join([sample.name, *sample.labels.values()]): sample.value
        for family in families
        for sample in family.samples
    }


def test_healthy_means_that_reports_can_be_stored(live: Live) -> None:
    answer = live.get("/healthz")
    assert (answer.status, answer.body, answer.cookies) == (200, b"ok\n", ())
    assert metrics(live)["candor_healthy"] == 1
    live.services.database.close()
    assert live.get("/healthz").status == 503
    assert metrics(live)["candor_healthy"] == 0


def test_no_metric_moves_with_a_respondent(live: Live) -> None:
    before = metrics(live)
    assert before["candor_surveys,open"] == 1
    assert before[DISK] % STEP == 0
    live.get(f"/s/{live.survey.slug}")
    assert live.post(live.report()).status == 201
    after = metrics(live)
    # Other programs fill the disk, too.
    assert {**after, DISK: 0} == {**before, DISK: 0}


def test_the_last_respondent_who_was_wanted_does_not_move_a_metric_either(live: Live) -> None:
    before = metrics(live)
    live.services.database.write(lambda db: db.execute("UPDATE surveys SET closes_at = 1"))
    assert live.post(live.report()).status == 201
    asked = live.send("POST", f"{live.api}/tickets", b"{}", JSON)
    assert asked.code == "survey_full"
    assert {**metrics(live), DISK: 0} == {**before, DISK: 0}


def test_only_the_operator_reads_metrics(live: Live) -> None:
    assert live.get("/api/metrics").status == 401
