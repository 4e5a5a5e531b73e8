-- The transactions that earlier runs saw cancelled, whoever's they were; some more than once.
-- $1 text the run's id. No locks. One pass over the table.
select c.transaction_id
from reconcile.cancellation as c
inner join reconcile.run as r on r.run_no = c.run_no
where c.run_no < (select t.run_no from reconcile.run as t where t.run_id = $1)
    and r.state = 'published'
