-- Notes that a worker gets no answers. To be committed before others are counted: of two that note
-- it at once, none then takes the other for one that has answers.
-- $1 int worker_no. Locks: the row. Primary key.
update reconcile.worker
set cut_off_at = coalesce(cut_off_at, now())
where worker_no = $1::int
