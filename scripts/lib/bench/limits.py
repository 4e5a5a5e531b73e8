"""The limits of scripts/bench gate, each for one receipt with 12 transactions.

A change that makes a figure smaller lowers its limit in the same change, to a twentieth above the new
figure; counts of rows to a hundredth. A limit is raised only with a decision in docs/decisions that
says what the cost is for.
"""

# Instructions of the job, of a release build for x86-64.
INSTRUCTIONS = 645_000
# Bytes of PostgreSQL's write-ahead log: the first night stores what each verdict was based on.
LOG_FIRST = 1_320
LOG_LATER = 670
# Rows that PostgreSQL inserts, updates or deletes.
ROWS_FIRST = 4.15
ROWS_LATER = 3.2
# The peak of the whole run, in MiB.
MEMORY = 46
