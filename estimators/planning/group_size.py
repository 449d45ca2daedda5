"""How many people a group needs so that the closing tells it apart."""

from scipy import special

from client.core.survey import Survey
from estimators.least_shown import IN_GROUP

# The chance that a group of the advised size is too small all the same.
_RISK = 0.05


def people_in_group(survey: Survey) -> int:
    """Return how many people a group needs, so that it is told apart with a chance of 95 %.

    If each person is asked only some of the questions, IN_GROUP of the group must be asked each.
    """
    questions, part = len(survey.questions), survey.asked / len(survey.questions)
    people = IN_GROUP
    # Bonferroni: no question misses its number with a chance above the risk.
    while part < 1 and questions * special.bdtr(IN_GROUP - 1, people, part) > _RISK:
        people += 1
    return people
