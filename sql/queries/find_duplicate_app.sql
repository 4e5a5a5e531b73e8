-- One bundle_id that is in several rows of catalog_apps, if any.
-- No parameters. No locks. Reads the whole view once.
select bundle_id
from reconcile.catalog_apps
where bundle_id is not null
group by bundle_id
having count(*) > 1
order by bundle_id
limit 1
