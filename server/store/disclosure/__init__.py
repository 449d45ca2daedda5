"""Who sees how much of a survey, and when: no small crowd is ever read out of results.

The public sees snapshots (`snapshots`), each at least 50 reports after the one before it
(`milestones`). Its researchers see the tallies of this moment (`live_tallies`) and export them.
Of a survey by invitation nobody sees anything before it is closed, and its researchers then only
of enough reports (`Published.is_readable`). Neither a small group nor the rest beside the groups
is told apart (`small_groups`): the public's minimum is 50, the researchers' 20, and closing merges
what is smaller for good (`merging`). Where everybody is asked only some of the questions, the
public sees no groups, and its minimum holds for those who were asked each one (`rarely_asked`).
When the reports are deleted, what the public could have seen may stay (`remaining_totals`).
"""
