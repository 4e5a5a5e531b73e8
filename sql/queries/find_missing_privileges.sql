-- The privileges that the role lacks to read the team's views, and to read and write the job's own
-- tables. Skips missing relations, which other checks report. Returns privilege and relation, by
-- relation.
-- $1 text[] names of the views. No locks.
with needed as (
    select relation, 'select' as privilege
    from unnest($1::text[] || array['migration', 'live_worker']) as listed (relation)
    union all
    select own.relation, rights.privilege
    from
        unnest(
            array[
                'run', 'run_figure', 'held_reason', 'worker',
                'batch', 'stopped_app', 'user_result', 'request_count', 'second_look', 'outcome',
                'finding', 'not_reported', 'evidence', 'rate_bucket', 'ledger', 'ledger_undo',
                'cleared_finding', 'unjudged_finding', 'remembered_event', 'acceptance',
                'sighted_purchase', 'sighted_receipt', 'sighted_product', 'undecided_user',
                'judged_user', 'kept_receipt', 'erasure', 'erased_finding'
            ]
        ) as own (relation)
    cross join unnest(array['select', 'insert', 'update', 'delete']) as rights (privilege)
)
select needed.privilege, format('%I.%I', n.nspname, c.relname) as relation
from needed
inner join pg_catalog.pg_class as c on c.relname = needed.relation
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace and n.nspname = 'reconcile'
where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not (
        has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, needed.privilege)
    )
order by needed.relation collate "C", needed.privilege collate "C"
