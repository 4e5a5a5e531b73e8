-- Compares the program's migrations with the applied ones.
-- $1 int[] versions, $2 text[] names, $3 bytea[] texts of the files in UTF-8, whatever the
-- database's encoding. No locks. Primary key.
select
    coalesce(ours.version, applied.version) as version,
    coalesce(applied.name, ours.name) as name,
    case
        when applied.version is null then 'pending'
        when ours.version is null then 'newer'
        when applied.sha256 <> sha256(ours.body) then 'changed'
        else 'applied'
    end as state
from unnest($1::int[], $2::text[], $3::bytea[]) as ours (version, name, body)
full join reconcile.migration as applied on applied.version = ours.version
order by version
