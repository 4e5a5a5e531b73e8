-- The users whose ids are next before and after a text, in byte order.
-- $1 text. No locks. Index judged_user_user.
select
    (
        select j.user_id
        from reconcile.judged_user as j
        where left(j.user_id, 100) collate "C" < left($1, 100) collate "C"
        order by left(j.user_id, 100) collate "C" desc
        limit 1
    ) as before,
    (
        select j.user_id
        from reconcile.judged_user as j
        where left(j.user_id, 100) collate "C" > left($1, 100) collate "C"
        order by left(j.user_id, 100) collate "C"
        limit 1
    ) as behind
