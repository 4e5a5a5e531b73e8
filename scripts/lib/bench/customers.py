"""Customers, their receipts and entitlements, and Apple's answers about them."""

import json
import time

import measured

# The mark that the simulated Apple looks for in a request. Valid base64, as is the number after it.
MARK = "ReceiptSerialNo0"
NUMBER = "@" * 12
# The size of the receipts in base64, as of apps with some purchases.
RECEIPT_CHARACTERS = 6_000
# One customer in this many has an entitlement that ends too late, so that runs have findings.
WRONG = 50
DAY = 86_400_000
NOW = 1_795_140_000_000
ENDS_AT = NOW + 10 * DAY

# Unlogged: the customers are created in seconds, and are needed only by this process. Free space in
# each page lets an entitlement be updated in place.
SCHEMA = """
create schema team;
create unlogged table team.receipts (id text not null, who text not null, data text not null);
alter table team.receipts alter column data set storage external;
create unlogged table team.rights (
    id text not null, who text not null, number int not null, ends_at timestamptz not null
) with (fillfactor = 50);
create view reconcile.stored_receipts as
select id as receipt_id, who as user_id, 'com.example.acme'::text as bundle_id,
    data as receipt_data, timestamptz '2026-11-01Z' as stored_at
from team.receipts;
create view reconcile.stored_entitlements as
select id as entitlement_id, who as user_id, 'pro.monthly'::text as product_id,
    null::text as original_transaction_id, true as is_active, ends_at as expires_at,
    null::boolean as auto_renew, null::text as ownership, 'app_store'::text as source,
    timestamptz '2026-10-01Z' as updated_at
from team.rights;
create view reconcile.catalog_products as
select 'pro.monthly'::text as product_id, 'auto_renewable'::text as kind,
    '20000001'::text as subscription_group_id, 1 as service_level,
    null::interval as access_duration, interval '1 month' as billing_period,
    9.99::numeric as list_price, 'USD'::text as currency;
""" + measured.OTHER_VIEWS

CUSTOMERS = f"""
insert into team.receipts
select 'r' || lpad(n::text, 8, '0'), 'u' || lpad(n::text, 8, '0'),
    :'head' || lpad(n::text, 12, '0') || :'tail'
from generate_series(1, :count) as n;
insert into team.rights
select 'e' || lpad(n::text, 8, '0'), 'u' || lpad(n::text, 8, '0'), n,
    timestamptz 'epoch' + interval '1 millisecond' * :ends_at
from generate_series(1, :count) as n;
create index on team.receipts (who);
create index on team.rights (who);
"""

# Different rows are wrong in every run: findings appear, and others are cleared.
MISTAKES = f"""
update team.rights
set ends_at = timestamptz 'epoch' + interval '1 millisecond' * :ends_at
    + case when number % {WRONG} = :night % {WRONG} then interval '5 days' else interval '0' end
where number % {WRONG} in (:night % {WRONG}, (:night - 1) % {WRONG});
"""


def receipt(characters):
    """Base64 of a receipt, in two parts: 12 digits between them make it one customer's own."""
    size = characters * 3 // 4
    while True:
        whole = measured.receipt(1, size)
        # Where the random filler begins; base64 of three bytes each can be replaced there.
        at = 400
        if len(whole) <= characters or size < 600:
            return whole[:at] + MARK, whole[at + len(MARK) + len(NUMBER):]
        size -= (len(whole) - characters) * 3 // 4 or 1


def answer(transactions, latest_receipt):
    """Apple's answer for a customer who paid for this many months and is still active."""
    def clock(name, milliseconds):
        moment = time.gmtime(milliseconds / 1000)
        pacific = time.gmtime(milliseconds / 1000 - 8 * 3600)
        return {
            name: time.strftime("%Y-%m-%d %H:%M:%S Etc/GMT", moment),
            name + "_ms": str(milliseconds),
            name + "_pst": time.strftime("%Y-%m-%d %H:%M:%S America/Los_Angeles", pacific),
        }

    def month(number):
        start = ENDS_AT - (transactions - number) * 30 * DAY
        return {
            "quantity": "1", "product_id": "pro.monthly",
            "transaction_id": f"48{NUMBER}{number:03}", "original_transaction_id": f"48{NUMBER}000",
            **clock("purchase_date", start),
            **clock("original_purchase_date", ENDS_AT - transactions * 30 * DAY),
            **clock("expires_date", start + 30 * DAY),
            "web_order_line_item_id": f"49{NUMBER}{number:03}", "is_trial_period": "false",
            "is_in_intro_offer_period": "false", "in_app_ownership_type": "PURCHASED",
            "subscription_group_identifier": "20000001",
        }

    months = [month(number) for number in range(transactions)]
    return json.dumps({
        "environment": "Production",
        "receipt": {
            "receipt_type": "Production", "adam_id": 1234567890, "app_item_id": 1234567890,
            "bundle_id": measured.BUNDLE, "application_version": "42",
            "download_id": 501136461303889853, "version_external_identifier": 1,
            **clock("receipt_creation_date", NOW - 20 * DAY), **clock("request_date", NOW),
            **clock("original_purchase_date", ENDS_AT - transactions * 30 * DAY),
            "original_application_version": "9.0", "in_app": months,
        },
        "latest_receipt_info": months[::-1],
        "latest_receipt": latest_receipt,
        "pending_renewal_info": [{
            "auto_renew_product_id": "pro.monthly", "product_id": "pro.monthly",
            "original_transaction_id": f"48{NUMBER}000", "auto_renew_status": "1",
        }],
        "status": 0,
    })
