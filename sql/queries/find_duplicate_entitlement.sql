-- One entitlement_id that is in several rows of stored_entitlements, if any.
-- No parameters. No locks. Reads the whole view once.
select entitlement_id
from reconcile.stored_entitlements
where entitlement_id is not null
group by entitlement_id
having count(*) > 1
order by entitlement_id
limit 1
