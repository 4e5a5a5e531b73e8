-- Units: what Apple sold and took back, by Pacific day, app and product, as each run over
-- everything saw it. Finance compares them with Apple's reports.
-- Locks: reconcile.run for an instant. The program holds the migration lock.

alter table reconcile.run add column units_from date, add column units_to date;
alter table reconcile.run add check ((units_from is null) = (units_to is null));
comment on column reconcile.run.units_from is
    'The first Pacific day whose units it counts; units_to is the last. Null: it counts none, as a '
    'partial run, a replay or an offline run.';

create table reconcile.units (
    run_id text not null,
    day date not null,
    bundle_id text not null,
    product_id text not null,
    sold bigint not null,
    trials bigint not null,
    refunded bigint not null,
    upgraded bigint not null,
    customers bigint not null
);
-- By digest: an id may be longer than an index entry can be.
create unique index units_line
on reconcile.units (run_id, day, md5(bundle_id), md5(product_id));
comment on table reconcile.units is
    'The units of each run over everything, by Pacific day, app and product. Names no user, so '
    'that they stay when a user is erased. A pruned run keeps the days that no later published run '
    'counts.';
comment on column reconcile.units.sold is
    'Bought that day, cancelled since or not.';
comment on column reconcile.units.trials is
    'Those of them that were free trials.';
comment on column reconcile.units.refunded is
    'Cancelled that day and not upgraded.';
comment on column reconcile.units.upgraded is
    'Cancelled that day and upgraded.';
comment on column reconcile.units.customers is
    'The users whose answers show one of those.';

-- No keys and no index: rows are written once, read once when the run is closed, and removed then.
create table reconcile.unit_sighting (
    run_no bigint not null,
    flush_no bigint not null,
    bundles text[] not null,
    products text[] not null,
    lines int[] not null,
    users int[] not null,
    kinds int[] not null,
    quantities int[] not null,
    instants timestamptz[] not null,
    purchases bigint[] not null
);
comment on table reconcile.unit_sighting is
    'What the answers of the users of one flush show of the days that the run counts, and of '
    'non-consumables at any time: the elements of one place in lines, users, kinds, quantities, '
    'instants and purchases are a sighting. Names no user.';
comment on column reconcile.unit_sighting.flush_no is
    'The random number of the flush.';
comment on column reconcile.unit_sighting.bundles is
    'The app of each line, from 1; likewise products.';
comment on column reconcile.unit_sighting.users is
    'The number of the user among those of the flush.';
comment on column reconcile.unit_sighting.kinds is
    '0: sold; 1: sold as a free trial; 2: refunded; 3: upgraded.';
comment on column reconcile.unit_sighting.purchases is
    'By what the purchase is known, whoever shows it: the number itself, or a hash of another '
    'text.';

insert into reconcile.privilege (relation, role_name, privileges)
select
    listed.relation,
    'reconcile_job',
    array['select', 'insert', 'update', 'delete']
from unnest(array['units', 'unit_sighting']) as listed (relation);
insert into reconcile.privilege (relation, role_name, privileges)
values ('units', 'reconcile_reader', array['select']);
