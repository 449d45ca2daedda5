"""The smallest numbers of reports that results are shown for; `server/surveys` keeps to them."""

# Public results have at least as many reports, and at least as many more than those before.
PUBLIC = 50
# Smaller groups could nearly be traced to people: they are not made or shown, and closing merges
# them.
IN_GROUP = 20
