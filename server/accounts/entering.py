"""Whether a password is somebody's: guesses are counted before any is checked."""

from client.core.primitives.refusal import Refusal
from server.accounts.passwords import is_right
from server.services import Services
from server.store import Researcher


def check_password(
    services: Services, name: str, password: str, device: str | None = None
) -> Researcher:
    """The researcher, if the password is theirs.

    A device that is known to be theirs has guesses of its own, whatever strangers guess meanwhile.
    """
    guesses, guesser = (
        (services.guesses, name) if device is None else (services.guesses_of_devices, device)
    )
    guesses.begin(guesser)
    try:
        right = is_right(password, services.office.password_hash(name))
    except Refusal:
        # Too many people at the door: nothing was compared, so nothing was guessed.
        guesses.take_back(guesser)
        raise
    if not right:
        raise Refusal("wrong_password", "This name and password do not belong together.")
    guesses.forgive(guesser)
    return services.office.researcher(name)
