-- Removes the answers of a run that are not kept, of a part of the questions; returns how many.
-- $1 text run_id, $2 text evidence, $3 bytea from, $4 bytea up to, or null.
-- Locks: the rows. Index answer_question, and the primary key of the findings.
with removed as (
    delete from reconcile.answer as a
    where a.run_id = $1
        and a.question >= $3::bytea
        and ($4::bytea is null or a.question < $4::bytea)
        and (
            $2 = 'none'
            or (
                $2 = 'findings'
                and not exists (
                    select
                    from reconcile.finding as f
                    where f.run_id = $1 and f.evidence_sha256 = a.body_sha256
                )
            )
        )
    returning a.batch_no
)
select count(*) from removed
