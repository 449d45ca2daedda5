"""Where the workbench is: its pages differ from respondents' in cookies, headers and language."""

ADDRESS = "/workbench"


def in_workbench(path: str) -> bool:
    return path == ADDRESS or path.startswith(f"{ADDRESS}/")
