-- The number of users of a run who were put off because a server refused a receipt.
-- $1 text run_id, $2 text the server. No locks. Index second_look_group.
select count(*) as users from reconcile.second_look where run_id = $1 and $2 = any(refused_by)
