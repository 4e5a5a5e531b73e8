-- The runs whose ids are next before and after a text, and the states of at most two runs whose id
-- begins with it.
-- $1 text. No locks. Reads the table of runs.
select
    (
        select string_agg(r.run_id, ',' order by r.run_id)
        from reconcile.run as r
        where r.run_id in (
            select max(b.run_id)
            from reconcile.run as b
            where b.run_id <= $1 and b.state in ('published', 'held', 'retracted')
            union all
            select min(a.run_id)
            from reconcile.run as a
            where a.run_id > $1 and a.state in ('published', 'held', 'retracted')
        )
    ) as nearest,
    (
        select string_agg(u.run_id || ' is ' || u.state, ', ' order by u.run_id)
        from (
            select s.run_id, s.state
            from reconcile.run as s
            where starts_with(s.run_id, $1)
            order by s.run_id
            limit 2
        ) as u
    ) as unpublished
