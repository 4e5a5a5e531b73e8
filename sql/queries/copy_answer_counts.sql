-- Copies how many answers of a flush had each status, in COPY's binary format.
-- No parameters. Locks: the new rows.
copy reconcile.answer_count (
    run_id,
    status,
    answers,
    is_http
)
from stdin (format binary)
