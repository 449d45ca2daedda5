"""The server of the benchmark: the real application, and an endpoint that does nothing."""

import sys
from pathlib import Path

from flask import request

from server.app import create_app
from server.data_folder import DataFolder
from server.serving import bind, running_services, serve


def main(path: str) -> None:
    folder = DataFolder(Path(path))
    with running_services(folder) as services:
        app = create_app(services)

        @app.post("/empty")
        def empty() -> tuple[dict[str, str], int]:
            request.stream.read()
            return {"status": "stored"}, 201

        server = bind(app, "127.0.0.1", 0)
        print(server.url, flush=True)
        serve(server)


if __name__ == "__main__":
    main(sys.argv[1])
