-- How many users of a run were put off to the second look.
-- $1 text run_id. No locks. Index second_look_group.
select count(*) from reconcile.second_look where run_id = $1
