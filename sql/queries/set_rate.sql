-- Sets the pace of a bucket. What was taken from it stays taken.
-- $1 text environment, $2 double precision tokens a second, $3 int burst. Locks: the row.
update reconcile.rate_bucket
set rate = $2::double precision, burst = $3::int
where environment = $1
