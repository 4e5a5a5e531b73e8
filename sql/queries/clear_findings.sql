-- Clears findings: open in the ledger, not found by this run, and judged by it.
-- Findings of kinds that compare users ($2) stay open while a missing answer could confirm them:
-- * a shared purchase or receipt that is still granted to the user: an answer of another user whose
--   receipts contained it in the last report;
-- * a shared purchase or receipt of a user whose own rows were not judged;
-- * an unknown product: any answer, unless the product is in the catalogue.
-- A partial run clears findings of the users that it judged, and none that compare users. A replay
-- clears what the replayed run cleared, for its own users.
-- $1 text run_id, $2 text[] kinds that compare users.
-- Locks: the new rows. Reads the open part of the ledger; primary keys; scans the sightings of the
-- run and of the runs that last reported the missing findings.
with this as (
    select run_id, run_no, is_everything, replay_of, scope
    from reconcile.run
    where run_id = $1
),
last_run as (
    select r.run_no
    from reconcile.run as r
    cross join this
    where r.makes_history and r.state = 'published' and r.run_no < this.run_no
    order by r.run_no desc
    limit 1
),
missing as (
    select
        l.finding_id,
        l.kind,
        l.user_id,
        l.reference,
        coalesce(l.last_run_no, (select run_no from last_run)) as last_run_no
    from reconcile.ledger as l
    cross join this
    where l.state = 'open'
        and this.replay_of is null
        and (this.is_everything or l.kind <> all($2::text[]))
        and not exists (
            select
            from reconcile.finding as f
            where f.run_id = $1 and f.finding_id = replace(l.finding_id::text, '-', '')
        )
        and not exists (
            select
            from reconcile.unjudged_finding as h
            where h.run_id = $1 and h.finding_id = replace(l.finding_id::text, '-', '')
        )
),
-- Used as an array, so that only rows of these runs are read.
last_reports as (
    select run_id, run_no
    from reconcile.run
    where run_no in (select last_run_no from missing where user_id is not null)
),
undecided as (
    select user_id, lacks_evidence, may_be_granted
    from reconcile.undecided_user
    where run_id = $1
),
-- Shared findings for which another involved user lacks an answer.
hidden as (
    select m.finding_id
    from missing as m
    inner join reconcile.sighted_purchase as s
        on s.run_no = m.last_run_no
            and s.run_no = any(array(select run_no from last_reports))
            and s.original_transaction_id = m.reference collate "C"
    inner join undecided on undecided.user_id = s.user_id
    where m.kind = 'shared_original_transaction'
        and s.user_id <> m.user_id collate "C"
        and undecided.lacks_evidence
    union
    select m.finding_id
    from missing as m
    inner join reconcile.run as r on r.run_no = m.last_run_no
    inner join reconcile.sighted_receipt as s
        on s.run_id = r.run_id
            and s.run_id = any(array(select run_id from last_reports))
            and encode(s.receipt_sha256, 'hex') = m.reference
    inner join undecided on undecided.user_id = s.user_id
    where m.kind = 'shared_receipt'
        and s.user_id <> m.user_id collate "C"
        and undecided.lacks_evidence
),
-- Shared findings whose user is still granted the purchase or receipt.
granted as (
    select m.finding_id
    from missing as m
    inner join reconcile.sighted_purchase as s
        on s.run_no = (select run_no from this)
            and s.original_transaction_id = m.reference collate "C"
            and s.user_id = m.user_id collate "C"
            and s.entitlement_id is not null
    where m.kind = 'shared_original_transaction'
    union
    select m.finding_id
    from missing as m
    inner join reconcile.sighted_receipt as s
        on s.run_id = $1
            and encode(s.receipt_sha256, 'hex') = m.reference
            and s.user_id = m.user_id collate "C"
            and s.entitlement_id is not null
    where m.kind = 'shared_receipt'
),
staying as (
    select granted.finding_id
    from granted
    inner join hidden on hidden.finding_id = granted.finding_id
    union
    select m.finding_id
    from missing as m
    inner join undecided on undecided.user_id = m.user_id collate "C"
    left join granted on granted.finding_id = m.finding_id
    where m.kind = any($2::text[]) and undecided.may_be_granted and granted.finding_id is null
    union
    select m.finding_id
    from missing as m
    left join reconcile.catalog_products as p on p.product_id = m.reference
    where m.kind = 'unknown_product'
        and p.product_id is null
        and exists (select from undecided where undecided.lacks_evidence)
),
-- Users judged by the run; over everything also users without stored rows.
judged as (
    select m.finding_id
    from missing as m
    cross join this
    inner join reconcile.user_result as u on u.run_no = this.run_no and u.user_id = m.user_id
    union
    select m.finding_id
    from missing as m
    cross join this
    where this.is_everything
        and not exists (
            select from reconcile.stored_receipts as s where s.user_id = m.user_id
        )
        and not exists (
            select from reconcile.stored_entitlements as s where s.user_id = m.user_id
        )
)
insert into reconcile.cleared_finding (run_id, last_run_id, finding_id)
select
    $1,
    r.run_id,
    replace(m.finding_id::text, '-', '')
from missing as m
inner join judged on judged.finding_id = m.finding_id
inner join reconcile.run as r on r.run_no = m.last_run_no
left join staying on staying.finding_id = m.finding_id
where staying.finding_id is null
union all
select $1, c.last_run_id, c.finding_id
from this
inner join reconcile.cleared_finding as c on c.run_id = this.replay_of
inner join reconcile.finding as last
    on last.run_id = c.last_run_id and last.finding_id = c.finding_id
where not exists (
    select
    from reconcile.finding as f
    where f.run_id = $1 and f.finding_id = c.finding_id
)
    and (
        this.scope = '{}'
        or exists (
            select
            from reconcile.user_result as u
            where u.run_no = this.run_no and u.user_id = last.user_id
        )
    )
on conflict do nothing
