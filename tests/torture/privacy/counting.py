"""Workers in a browser draw reports and count them; a small local server hands out the work.

The workers ask how many people they shall answer for, and post their counts. No report leaves the
browser.
"""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.torture.privacy.every_input import SURVEY, TOGETHER, TRUTHS

PROGRAM = (Path(__file__).parent / "counting.mjs").read_text("utf-8")
# What `countReports` is given besides the modules and the number of people.
GIVEN = [SURVEY.document.decode(), TRUTHS, TOGETHER]
# Of each truth, for which one worker answers before it asks again.
CHUNK = 20_000
PAGE = b"""<!doctype html><meta charset="utf-8"><title>Counting</title><script>
for (let i = navigator.hardwareConcurrency; i > 0; i--) new Worker("/worker.js");
</script>"""
# A failure is posted, too: nobody sees the browser's console.
WORK = """
const post = async (path, body) => (await fetch(path, { method: "POST", body })).json();
(async () => {
  try {
    for (let people; (people = await post("/people")) > 0; ) {
      const counts = await countReports(modules, ...given, people);
      await post("/counts", JSON.stringify({ people, counts }));
    }
  } catch (error) {
    await post("/failure", String(error));
  }
})();
"""


class Counting:
    """What the workers shall do, and what they have counted."""

    def __init__(self, people: int, advance: Callable[[int], object]) -> None:
        self.counts: list[Counter[str]] = [Counter() for _ in TRUTHS]
        self.failure = ""
        self.done = threading.Event()
        # Of each truth, for whom no worker answers yet, and whose reports are not counted yet.
        self._waiting = self._missing = people
        self._advance = advance
        self._lock = threading.Lock()

    def answer(self, path: str, body: bytes) -> int:
        """Answer a worker: with the number of people it shall answer for, if it asks for that."""
        with self._lock:
            if path == "/people":
                people = min(CHUNK, self._waiting)
                self._waiting -= people
                return people
            if path == "/counts":
                self._take(**json.loads(body))
            else:
                self.fail(body.decode())
            return 0

    def fail(self, failure: str) -> None:
        self.failure = failure
        self.done.set()

    def _take(self, people: int, counts: Sequence[dict[str, int]]) -> None:
        for own, new in zip(self.counts, counts, strict=True):
            own.update(new)
        self._advance(people)
        self._missing -= people
        if not self._missing:
            self.done.set()


@contextmanager
def serving(counting: Counting, script: str) -> Iterator[str]:
    """Serve a page whose workers count with the modules of this script; yields its address."""
    files = {"/": ("text/html", PAGE), "/worker.js": ("text/javascript", _worker(script))}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(*files.get(self.path, ("text/plain", b"")))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self._send("application/json", str(counting.answer(self.path, body)).encode())

        def _send(self, kind: str, content: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            # The browser is ended as soon as all is counted.
            with suppress(BrokenPipeError, ConnectionResetError):
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def _worker(script: str) -> bytes:
    """Return what a worker runs: the page's modules, the counting, and what to count."""
    given = f"const given = {json.dumps(GIVEN)};"
    return "\n".join([script, PROGRAM.replace("export ", ""), given, WORK]).encode()
