-- One customer or finding, for `explain` and `evidence`.

-- name: find_customer
-- The users with a given user id, receipt or transaction in the results of published runs and of
-- one other run.
-- $1 text user_id or null, $2 text receipt_id or null, $3 text transaction or null, $4 text run_id.
-- No locks. Indexes judged_user_user, judged_user_transactions, outcome_receipt, finding_user.
with meant as (
    select r.run_id, r.run_no
    from reconcile.run as r
    where r.run_id = $4 or (r.state = 'published' and not r.is_trial)
)

select found.user_id
from (
    select j.user_id
    from reconcile.judged_user as j
    inner join meant as m on m.run_no = j.run_no
    where left(j.user_id, 100) collate "C" = left($1, 100) collate "C" and j.user_id = $1
    union
    select f.user_id
    from reconcile.finding as f
    inner join meant as m on m.run_id = f.run_id
    where f.user_id = $1
    union
    select o.user_id
    from reconcile.outcome as o
    where o.run_no = (select run_no from reconcile.run where run_id = $4)
        and hashtextextended(o.receipt_id, 0) = hashtextextended($2, 0)
        and o.receipt_id = $2
    union
    select j.user_id
    from reconcile.judged_user as j
    inner join meant as m on m.run_no = j.run_no
    where j.transactions @> to_jsonb(array[$3::text])
) as found
where found.user_id is not null
order by found.user_id collate "C"
limit 3

-- name: was_judged
-- Whether a run has recorded a user, looked up by the batches whose range may include the id. The
-- view's collation may differ from this one, so false is not proof. The limit keeps the planner
-- from reading all users of the run.
-- $1 text run_id, $2 text user_id. No locks. Indexes batch_pkey, user_result_batch.
select exists(
    select
    from reconcile.batch as b
    cross join lateral (
        select u.user_id
        from reconcile.user_result as u
        where u.run_no = (select run_no from reconcile.run where run_id = $1)
            and u.batch_no = b.batch_no and u.user_id = $2
        limit 1
    ) as found
    where b.run_id = $1
        and (b.first_user is null or $2 between b.first_user and b.last_user)
) as was_judged

-- name: was_judged_anywhere
-- Whether a run has recorded a user, looked up among all users of the run.
-- $1 text run_id, $2 text user_id. No locks. Index user_result_batch; reads all users of the run.
select exists(
    select
    from reconcile.user_result as u
    where u.run_no = (select run_no from reconcile.run where run_id = $1) and u.user_id = $2
) as was_judged

-- name: nearest_users
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

-- name: nearest_receipts
-- The receipts of a run whose ids are next before and after a text, in byte order.
-- $1 text, $2 text run_id. No locks. Reads the run's outcomes.
select
    max(o.receipt_id collate "C") filter (where o.receipt_id collate "C" < $1) as before,
    min(o.receipt_id collate "C") filter (where o.receipt_id collate "C" > $1) as behind
from reconcile.outcome as o
where o.run_no = (select run_no from reconcile.run where run_id = $2)

-- name: nearest_transactions
-- The transactions whose ids are next before and after a text, in byte order.
-- $1 text. No locks. Reads all records.
select
    max(t.id collate "C") filter (where t.id collate "C" < $1) as before,
    min(t.id collate "C") filter (where t.id collate "C" > $1) as behind
from reconcile.judged_user as j
cross join lateral jsonb_array_elements_text(j.transactions) as t (id)

-- name: customer_receipts
-- The receipts of a user in a run: those in the newest record of the verdicts up to the run, with
-- their outcomes in the run.
-- $1 bigint run_no, $2 text user_id, $3 boolean whether the run is a night, even an unpublished
-- one. No locks. Indexes judged_user_user and outcome_receipt.
select
    named.receipt_id,
    o.bundle_id,
    o.outcome,
    o.cause,
    o.server,
    o.source,
    o.answered_at,
    o.last_status,
    o.detail
from (
    select j.record
    from reconcile.judged_user as j
    inner join reconcile.run as r on r.run_no = j.run_no
    where left(j.user_id, 100) collate "C" = left($2, 100) collate "C"
        and j.user_id = $2
        and r.run_no <= $1::bigint
        and case
            when $3::boolean
                then r.run_no = $1::bigint or (r.makes_history and r.state = 'published')
            else r.run_no = $1::bigint
        end
    order by r.run_no desc
    limit 1
) as kept
cross join lateral json_array_elements_text(kept.record -> 'r') as named (receipt_id)
left join reconcile.outcome as o
    on o.run_no = $1::bigint
    and hashtextextended(o.receipt_id, 0) = hashtextextended(named.receipt_id, 0)
    and o.receipt_id = named.receipt_id
order by named.receipt_id collate "C"

-- name: judged_rights
-- The facts behind a run's verdicts on a user, one row per right, in the order of judging. A night
-- stores a record only if it differs from that of the last published night, so they come from the
-- night itself or the newest published one before it; for another run from the run itself. The keys
-- are those of JudgedRecord, which leaves out the values that most rights have.
-- $1 bigint run_no, $2 text user_id, $3 boolean whether the run is a night, published or not. No
-- locks. Index judged_user_user.
select
    el.value ->> 'g' as right_name,
    coalesce(el.value ->> 'v', 'consistent') as outcome,
    el.value ->> 'k' as kind,
    el.value ->> 'c' as cause,
    el.value ->> 'f' as paid_app,
    coalesce(el.value ->> 'n', '0') as others,
    el.value ->> 'e' as entitlement_id,
    el.value ->> 'p' as product_id,
    coalesce(el.value ->> 's', 'app_store') as source,
    coalesce((el.value ->> 'a')::boolean, true) as is_active,
    el.value ->> 'x' as expires_at,
    el.value ->> 'o' as original_transaction_id,
    (el.value ->> 'w')::boolean as auto_renew,
    el.value ->> 'h' as ownership,
    el.value ->> 'u' as updated_at,
    case when el.value -> 'y' is not null then coalesce(el.value #>> '{y,s}', 'active') end
        as apple_state,
    coalesce(el.value #>> '{y,k}', 'auto_renewable') as apple_kind,
    coalesce(el.value #>> '{y,p}', el.value ->> 'p') as apple_product_id,
    el.value #>> '{y,t}' as apple_transaction_id,
    el.value #>> '{y,o}' as apple_original_transaction_id,
    el.value #>> '{y,b}' as apple_purchased_at,
    coalesce(el.value #> '{y,x}', el.value -> 'x') #>> '{}' as apple_expires_at,
    coalesce(el.value #> '{y,e}', el.value #> '{y,x}', el.value -> 'x') #>> '{}' as apple_ends_at,
    el.value #>> '{y,g}' as apple_gone_at,
    el.value #>> '{y,r}' as apple_grace_period_expires_at,
    coalesce(el.value #> '{y,h}', '"PURCHASED"') #>> '{}' as apple_ownership,
    el.value #>> '{y,l}' as apple_line_item,
    coalesce((el.value #>> '{y,i}')::boolean, false) as apple_is_trial,
    (el.value #>> '{y,w}')::boolean as apple_will_renew,
    el.value #>> '{y,y}' as apple_reason,
    coalesce(el.value #>> '{y,c}', kept.record #>> '{r,0}') as apple_receipt_id,
    el.value #>> '{y,n}' as apple_bundle_id,
    coalesce(el.value #>> '{y,v}', 'Production') as apple_environment,
    el.value #>> '{y,a}' as apple_source
from (
    select j.record
    from reconcile.judged_user as j
    inner join reconcile.run as r on r.run_no = j.run_no
    where left(j.user_id, 100) collate "C" = left($2, 100) collate "C"
        and j.user_id = $2
        and r.run_no <= $1::bigint
        and case
            when $3::boolean
                then r.run_no = $1::bigint or (r.makes_history and r.state = 'published')
            else r.run_no = $1::bigint
        end
    order by r.run_no desc
    limit 1
) as kept
cross join lateral json_array_elements(kept.record -> 'v') with ordinality as el (value, ordinal)
order by el.ordinal

-- name: customer_answers
-- Apple's newest kept answer to each receipt of a user, from a run and the published runs before
-- it.
-- $1 text user_id, $2 bigint run_no. No locks. Index evidence_user.
select distinct on (e.request_sha256)
    e.run_id,
    e.receipt_id,
    e.answered_at,
    e.server,
    encode(e.body_sha256, 'hex') as body_sha256,
    e.body
from reconcile.evidence as e
inner join reconcile.run as r on r.run_id = e.run_id
where e.user_id = $1
    and e.body is not null
    and (
        r.run_no = $2::bigint
        or (r.run_no < $2::bigint and r.state = 'published' and not r.is_trial)
    )
order by e.request_sha256, r.run_no desc

-- name: find_answers
-- The answers about a user that a run has kept, byte for byte: to a receipt, with a digest, or from
-- one of two servers, which stand for several receipts.
-- $1 text run_id, $2 text user_id, $3 text receipt_id, $4 text SHA-256 in hexadecimal or null: the
-- answer with it alone; $5 text[] servers. No locks. Index evidence_user.
select
    e.receipt_id,
    e.server,
    encode(e.body_sha256, 'hex') as body_sha256,
    e.body
from reconcile.evidence as e
where e.user_id = $2
    and e.run_id = $1
    and e.body is not null
    and case
        when $4::text is null then e.receipt_id = $3 or e.server = any($5::text[])
        else encode(e.body_sha256, 'hex') = $4
    end
order by e.receipt_id collate "C", e.answered_at, e.body_sha256

-- name: find_notice
-- The newest notice of a refund that a run's sweep has kept, as received and with a line feed.
-- $1 text run_id, $2 text transaction_id. No locks. Index refund_notice_run.
select n.payload || '\x0a'::bytea as line
from reconcile.refund_notice as n
where n.run_id = $1 and n.transaction_id = $2 and n.payload is not null
order by n.signed_at desc
limit 1

-- name: source_of_receipt
-- Whose answer was the outcome of a receipt in a run, and by which sources the run asked.
-- $1 text run_id, $2 text receipt_id. No locks. Primary key, index outcome_receipt.
select
    coalesce(r.settings ->> 'source', 'verify-receipt') as choice,
    o.server,
    o.source
from reconcile.run as r
left join reconcile.outcome as o
    on o.run_no = r.run_no
    and hashtextextended(o.receipt_id, 0) = hashtextextended($2, 0)
    and o.receipt_id = $2
where r.run_id = $1
limit 1

-- name: may_read_answers
-- Whether the connected role may read the bodies of Apple's answers.
-- No parameters. No locks.
select has_column_privilege('reconcile.evidence', 'body', 'select') as may_read

-- name: customer_findings
-- The findings about a user in a run and in the published runs over everything before it, newest
-- run first. {finding_columns} are those of FindingColumn.
-- $1 text user_id, $2 bigint the run's run_no. No locks. Index finding_user.
select
    f.run_id,
    r.as_of as judged_at,
    r.makes_history and r.state = 'published' as counts,
    {finding_columns}
from reconcile.finding as f
inner join (
    select own.run_id, own.run_no, own.as_of, own.makes_history, own.state
    from reconcile.run as own
    where own.run_no = $2::bigint
        or (own.run_no < $2::bigint and own.makes_history and own.state = 'published')
) as r on r.run_id = f.run_id
where f.user_id = $1
order by r.run_no desc, f.severity_rank, f.finding_id
limit 1000

-- name: customer_cleared
-- The published runs over everything that cleared some findings.
-- $1 text[] finding ids. No locks. Primary key of the cleared findings.
select
    c.finding_id,
    c.run_id,
    r.as_of
from reconcile.run as r
inner join reconcile.cleared_finding as c on c.run_id = r.run_id
where r.makes_history and r.state = 'published' and c.finding_id = any($1::text[])
order by r.run_no

-- name: customer_acceptances
-- Acceptances of findings about a user, or of one finding, and their undos.
-- $1 text user_id or null, $2 text finding_id or null. No locks. Indexes acceptance_user and
-- acceptance_finding.
select
    replace(finding_id::text, '-', '') as finding_id,
    accepted_by,
    reason,
    accepted_until,
    accepted_at,
    is_undone
from reconcile.acceptance
where user_id = $1 or finding_id = $2::uuid
order by acceptance_no

-- name: find_finding
-- One finding of a run. {finding_columns} are those of FindingColumn.
-- $1 text run_id, $2 text finding_id. No locks. Primary key.
select {finding_columns}
from reconcile.finding
where run_id = $1 and finding_id = $2

-- name: find_findings
-- The findings whose id is in a range: each from the run that is named, else from the newest
-- published run that has it (no trial and no replay; runs over everything first), else from any
-- other run.
-- $1 text the first id of the range, $2 text the last, $3 text run_id or null. No locks. Primary
-- keys, one lookup per run.
select
    found.finding_id,
    found.kind,
    found.user_id,
    found.run_id,
    found.state,
    found.is_trial,
    found.is_replay,
    found.is_everything,
    found.is_meant
from (
    select distinct on (f.finding_id)
        f.finding_id,
        f.kind,
        f.user_id,
        r.run_id,
        r.state,
        r.is_trial,
        r.replay_of is not null as is_replay,
        r.is_everything,
        rank.is_named or rank.is_published as is_meant
    from reconcile.run as r
    cross join lateral (
        select
            coalesce(r.run_id = $3, false) as is_named,
            r.state = 'published' and not r.is_trial and r.replay_of is null as is_published
    ) as rank
    inner join reconcile.finding as f
        on f.run_id = r.run_id and f.finding_id >= $1 and f.finding_id <= $2
    order by
        f.finding_id,
        rank.is_named desc,
        rank.is_published desc,
        r.makes_history desc,
        r.run_no desc
) as found
order by found.is_meant desc, found.finding_id
limit 3

-- name: findings_by_id, long
-- The findings of a run, ordered by id. {finding_columns} are those of FindingColumn.
-- $1 text run_id. No locks. Primary key, then a sort.
select {finding_columns}
from reconcile.finding
where run_id = $1
order by finding_id collate "C"

-- name: finding_nights
-- What a run and the published runs over everything before it said of a finding, oldest first.
-- $1 text finding_id, $2 bigint the run's run_no. No locks. Primary keys, one lookup per run.
select
    r.run_id,
    r.as_of,
    f.lifecycle
from reconcile.run as r
inner join reconcile.finding as f on f.run_id = r.run_id and f.finding_id = $1
where r.run_no <= $2::bigint and r.makes_history and r.state = 'published'
order by r.run_no
