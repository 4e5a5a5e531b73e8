-- Removes changes of findings that later ones have replaced. One stays while it is the last before
-- a run that is still whole, for that may be judged again; and the last of each finding stays.
-- No parameters. Locks: the rows. Reads the table of changes whole; index finding_change_user.
with whole as (
    select run_no
    from reconcile.run
    where pruned_at is null and state in ('open', 'published')
),
reader as (
    select
        r.run_no,
        (select min(w.run_no) from whole as w where w.run_no > r.run_no) as first_no
    from reconcile.run as r
),
replaced as (
    delete from reconcile.finding_change as c
    using reader
    where reader.run_no = c.run_no
        and exists (
            select
            from reconcile.finding_change as later
            inner join reconcile.run as r on r.run_no = later.run_no and r.state = 'published'
            where later.user_key = c.user_key
                and later.finding_id = c.finding_id
                and later.across_users = c.across_users
                and later.run_no > c.run_no
                and later.run_no < reader.first_no
        )
    returning c.run_no
)
select count(*) as changes from replaced
