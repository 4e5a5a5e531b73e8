-- The apps whose receipts a worker of a run stopped and that Apple did not answer since.
-- $1 text run_id. No locks. Index stopped_app_bundle.
select
    bundle_id,
    written_by_apple,
    cause
from reconcile.stopped_app
where run_id = $1 and answered_at is null
order by bundle_id, written_by_apple
