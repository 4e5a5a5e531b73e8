-- The number of users put off to the second look of whom a server refused a receipt.
select count(*) as users from reconcile.second_look where run_id = $1 and $2 = any(refused_by)
