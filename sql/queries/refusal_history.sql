-- The receipts that were refused (21003, 21010) in a run, were it once, as question and number, by
-- number; then a row without question, whose number is that of all answers. A refused receipt
-- counts as one answer, where it was refused first.
-- Left out is what came two windows of a thousand answers before the first that a batch still to
-- be judged needs.
-- $1 text run_id, $2 text[] the causes of refusals, believed or not.
-- No locks. Reads the run's part of index answer_question.
with counted as (
    select
        question,
        batch_no,
        is_refusal,
        sum(answers) over (
            order by noted_at, question, batch_no rows unbounded preceding
        ) as number
    from (
        select
            question,
            batch_no,
            coalesce(refused_at, answered_at) as noted_at,
            refusal.is_so as is_refusal,
            case when refusal.is_so then 1 else attempts end as answers
        from reconcile.answer,
            lateral (
                select
                    refused_at is not null
                    or (cause is not null and cause = any($2::text[])) as is_so
            ) as refusal
        where run_id = $1 and answered_at is not null
    ) as answered
),

needed as (
    select
        least(
            max(c.number),
            min(c.number) filter (where c.is_refusal and b.done_at is null)
        ) - 2000 as number
    from counted as c
    inner join reconcile.batch as b on b.run_id = $1 and b.batch_no = c.batch_no
)

select c.question, c.number
from counted as c
where c.is_refusal and c.number > (select n.number from needed as n)
union all
select null, coalesce(max(number), 0)
from counted
order by number, question nulls last
