-- Removes the id of a user from rows of ended runs that are not about the user alone: the ends of
-- batches, the scope of a partial run, the accepted findings in a run's summary, and the sentences
-- of other users with whom the user shared a purchase or a receipt. The findings of a summary
-- (json) keep their numbers.
-- $1 text user_id, $2 text what sentences and scopes say in its place. Locks: the rows. Scans runs,
-- batches and findings.
with ended as materialized (
    select run_id from reconcile.run where state <> 'open'
),
batches as (
    update reconcile.batch
    set first_user = null, last_user = null
    where run_id in (select run_id from ended) and (first_user = $1 or last_user = $1)
),
sentences as (
    update reconcile.finding
    set explanation = replace(
        explanation, ' being ' || $1 || ': it was paid', ' being ' || $2 || ': it was paid'
    )
    where run_id in (select run_id from ended)
        and kind in ('shared_original_transaction', 'shared_receipt')
        and strpos(explanation, ' being ' || $1 || ': it was paid') > 0
)
update reconcile.run as r
set
    scope = case
        when r.scope -> 'users' is null then r.scope
        else jsonb_build_object(
            'users',
            (
                select coalesce(jsonb_agg(case when u.id = $1 then $2 else u.id end), '[]')
                from jsonb_array_elements_text(r.scope -> 'users') as u (id)
            ),
            'receipts',
            (
                select
                    coalesce(
                        jsonb_agg(
                            case
                                when exists (
                                    select
                                    from reconcile.outcome as o
                                    where o.run_no = r.run_no
                                        and hashtextextended(o.receipt_id, 0)
                                        = hashtextextended(c.id, 0)
                                        and o.receipt_id = c.id
                                        and o.user_id = $1
                                ) then $2
                                else c.id
                            end
                        ),
                        '[]'
                    )
                from jsonb_array_elements_text(coalesce(r.scope -> 'receipts', '[]')) as c (id)
            )
        )
    end,
    summary = case
        when r.summary -> 'accepted' is null then r.summary
        else jsonb_set(
            r.summary::jsonb,
            '{accepted}',
            (
                select coalesce(jsonb_agg(a.value order by a.ordinal), '[]')
                from jsonb_array_elements(r.summary::jsonb -> 'accepted')
                    with ordinality as a (value, ordinal)
                where a.value ->> 'user_id' is distinct from $1
            )
        )::json
    end
where r.run_id in (select run_id from ended)
    and (
        strpos(r.scope::text, to_json($1::text)::text) > 0
        or strpos((r.summary -> 'accepted')::text, to_json($1::text)::text) > 0
        or exists (
            select
            from jsonb_array_elements_text(coalesce(r.scope -> 'receipts', '[]')) as c (id)
            inner join reconcile.outcome as o
                on o.run_no = r.run_no
                    and hashtextextended(o.receipt_id, 0) = hashtextextended(c.id, 0)
                    and o.receipt_id = c.id
                    and o.user_id = $1
        )
    )
