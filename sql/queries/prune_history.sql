-- Removes what later changes of the same findings have replaced, as far as no run that is still
-- whole, and could be judged again, comes before the later one. The last change of each stays.
-- No parameters. Locks: the rows. Reads the table of changes whole; index finding_change_user.
with whole as (
    select min(run_no) as first_no
    from reconcile.run
    where pruned_at is null and state in ('open', 'published')
),
replaced as (
    delete from reconcile.finding_change as c
    using whole
    where c.run_no < whole.first_no
        and exists (
            select
            from reconcile.finding_change as later
            inner join reconcile.run as r on r.run_no = later.run_no and r.state = 'published'
            where later.user_key = c.user_key
                and later.finding_id = c.finding_id
                and later.across_users = c.across_users
                and later.run_no > c.run_no
                and later.run_no < whole.first_no
        )
    returning c.run_no
)
select count(*) from replaced
