import Foundation
import Testing

@testable import TestSupport

/// Makes the view of the receipts anew, with these columns.
private func view(bundle: String = "bundle", data: String = "data", at: String = "at") -> String {
    """
    drop view reconcile.stored_receipts; create view reconcile.stored_receipts as select \
    id as receipt_id, who as user_id, \(bundle) as bundle_id, \(data) as receipt_data, \
    \(at) as stored_at from team.receipts; \
    grant select on reconcile.stored_receipts to reconcile_job
    """
}

let databaseSessions = TextSession.all(
    """
    # A missing and a wrong password are reported with where it is looked for
    do $$ begin create role needs_password nologin; \
        exception when duplicate_object or unique_violation then null; end $$
    grant needs_password to $ROLE
    unset PGPASSWORD; export PGPASSFILE=/nowhere; run | 77 | no password supplied | \(pgpass)
    alter role $ROLE password 'another'
    run | 77 | The database refuses access: | password authentication failed | ! canary | \(pgpass)
    ls reports; echo $ASKED | 0 | = 0

    # A view whose query fails is named with PostgreSQL's message and no value
    update team.receipts set bundle = 'hunter2', data = repeat('hunter2', 99)
    create function team.refuse(data text) returns text language plpgsql as \
        'begin raise exception ''This is %'', data using hint = data; end'
    \(view(bundle: "case when bundle::int > 0 then bundle end"))
    \(fails)stored_receipts | SQLSTATE 22P02: invalid input syntax for type integer: ‹…› \(advice)
    \(view(data: "data::int::text"))
    \(fails)stored_receipts.receipt_
    \(view(data: "team.refuse(data)"))
    \(fails)stored_receipts.receipt_
    ls -d reports/2* | 2

    # A command that must own its objects names the owner to ask for
    drop schema reconcile, team cascade
    job migrate --database=$LOGIN | 77 | $ Connect as the owner of the database. | ! --roles
    job migrate --with-reference-app | 0
    grant usage on schema reconcile, app to $ROLE
    grant select on all tables in schema app to $ROLE
    "$0" simulate --customers=1 --load=$LOGIN | 77 | = | $ Connect as the owner of schema app. \
        | ! --roles
    """)

private let pgpass =
    "$ Check the role, and its password in ~/.pgpass or in the file that PGPASSFILE names."
private let fails = "run --log-level=debug | 65 | ! hunter2 | ! canary | reconcile."
private let advice = "| $ Correct the views in schema reconcile, then run again."

/// What is done to a working set-up, in SQL, by a flag or by a header of Apple's answers, and the
/// line of `doctor` about it.
private let broken = """
    delete from reconcile.migration | problem schema
    drop view reconcile.stored_receipts \
        | problem views The view reconcile.stored_receipts is missing. Create it
    \(view(data: "to_jsonb(data)")) | write receipt_data ->> 'the member that holds it'
    \(view(data: "to_jsonb(data)::text")) | They are in quotation marks: of a jsonb column
    \(view(at: "to_timestamp(extract(epoch from at) / 1000)")) \
        | have a stored_at before the App Store existed
    update team.receipts set data = 'eyJh.eyJi.c2ln' \
        | verifyReceipt does not accept signed transactions of StoreKit 2.
    truncate team.receipts | problem receipts the view reconcile.stored_receipts shows no row.
    truncate team.entitlements \
        | problem entitlements the view reconcile.stored_entitlements shows no row.
    update team.entitlements set source = 'ios' | problem sources no row has source 'app_store'
    update team.receipts set at = '2024-01-01' \
        | problem guards A run would be held. The newest receipt or row is of 2026-10-01
    update team.entitlements set product = 'old.monthly' \
        | have a product that is not in reconcile.catalog_products
    update team.entitlements set who = concat('x-', who) | Is user_id the same in both views?
    grant update on team.entitlements to $ROLE | problem read-only role
    revoke insert on reconcile.run from reconcile_job \
        | problem rights The database refuses access: no privilege to insert into
    alter role $ROLE set default_transaction_read_only = on \
        | problem rights The session is read only
    --shared-secrets=/nowhere/secrets | problem files --shared-secrets
    --shared-secrets=$FOLDER/other | problem shared secrets 1 receipts of "acme" have none
    --reports=/proc/reports | problem reports Cannot write reports at /proc/reports
    --sandbox-url=http://127.0.0.1:1 | problem sandbox No connection was made
    --production-url=TLS | problem production The server's certificate is not trusted
    --database=host=127.0.0.1 port=1 | problem database Cannot reach
    --live | problem secret Apple refuses the shared secret of "acme" (21004).
    Date: Sun, 06 Nov 1994 08:49:37 GMT \
        | problem production clock 1994-11-06T08:49:37Z, but this machine's clock says
    """.pairs

@Suite("Problems with the database and the set-up", .timeLimit(.minutes(10)))
struct SetUpTroubleTests {
    /// The encoding, the user's id, and the run's end with what the findings contain.
    @Test(
        "In another encoding text is used as UTF-8, or replaced with a finding; other bytes are 65",
        arguments: #"""
            LATIN1 | E'Zo\u00EB' | 0 | > Zoë | ! still_granted
            SQL_ASCII | E'Zo\xC3\xAB' | 0 | > Zoë | ! still_granted
            SQL_ASCII | E'Zo\xEB' | 65 | invalid byte sequence for encoding "UTF8" \#
                | reconcile.stored_entitlements.user_id | ! createdb
            LATIN1 | 'zoe' | 0 | > parse_anomaly | > unknown_product | > pro.?? | ! still_granted
            """#.rows)
    func encoding(row: [String]) async throws {
        let period = AppleAnswer.period("1", of: "pro.\u{65E5}\u{672C}", from: -40, to: -10)
        let answer = AppleAnswer.verified(row[1] == "'zoe'" ? [period] : [])
        try await Session.with(acts: ["zoe": .reply(answer)]) { scene in
            let name = scene.test.name + "_encoded"
            let test = TestDatabase(name: name, url: scene.test.url + "_encoded")
            try await scene.steps(
                """
                create database \(name) encoding '\(row[0])' locale 'C' template template0
                "$0" migrate --database=\(test.url) | 0
                """)
            // SQL_ASCII does not support ICU collations.
            let tables = TestDatabase.teamTables.replacing(#" collate "en-x-icu""#, with: "")
            let receipt = TestDatabase.receipt("zoe")
            try await test.execute(
                tables + TestDatabase.teamViews + """
                    insert into team.products values ('pro.monthly', 'auto_renewable');
                    insert into team.receipts
                    values ('r', \(row[1]), 'acme', '\(receipt)', '2026-11-01');
                    insert into team.entitlements (id, who, product, active, source, at)
                    values ('e', \(row[1]), 'pro.monthly', true, 'app_store', '2026-10-01');
                    """)
            try await scene.steps(
                """
                run --allow-writable-role --database=\(test.url) --output=none && \
                    cat reports/latest/*s.csv | \(row[2...].joined(separator: " | "))
                """)
            if row[2] == "0" { try await scene.latestReports() }
            try await scene.test.execute("drop database \(name)")
        }
    }

    @Test("doctor names everything that is broken", arguments: broken)
    func names(change: String, line: String) async throws {
        let tls = change.contains("TLS") ? try TLSLoopbackServer(try TLSCertificate()) : nil
        let flag = change.replacing("TLS", with: "https://localhost:\(tls?.port ?? 0)/")
        let isFlag = change.hasPrefix("--")
        let isHeader = change.hasPrefix("Date: ")
        let answer = AppleAnswer.status(isHeader ? 21000 : change == "--live" ? 21004 : 21002)
        // A row of the output has its text in columns.
        let row = NSRegularExpression.escapedPattern(for: line).replacing(" ", with: " +")
        try await doctor(
            """
            umask 077; echo other = x > other | 0
            \(isFlag || isHeader ? "" : change)
            "$0" doctor $DOCTOR \(isFlag ? "'\(flag)'" : "") | 1 | ~ \(row) | ! \(Session.secret)
            """, .reply(headers: isHeader ? [change] : [], answer))
    }

    @Test("doctor finds no problem in a working set-up, writes nothing, and is quiet if told to be")
    func healthy() async throws {
        // Prices in cents are a warning; without prices there are no estimates.
        try await doctor(
            #"""
            "$0" doctor $DOCTOR --live | 0 | $ A run can start. | ~ ^(ok [^\n]*\n)+$
            "$0" doctor $DOCTOR --output=json | 0 | ~ "check": "server",\s+"verdict": "ok" \#
                | ~ ^\[\n(  \{\n    "check": "[^\n]+",\n    "verdict": "\w+",\n    \#
            "detail": "[^\n]+"\n  \},?\n)+\]\n$
            select run_id from reconcile.run |
            ls -d reports/* | 2
            update team.products set price = 999
            "$0" doctor $DOCTOR | 0 | > they look like cents
            update team.products set price = null, currency = null
            "$0" doctor $DOCTOR --quiet | 0 | = | 2~ ^$
            "$0" doctor $DOCTOR --quiet --reports=/proc/reports | 1 | = | 2~ ^[^\n]+\n$
            drop view reconcile.stored_receipts, reconcile.stored_entitlements, \#
                reconcile.catalog_products, reconcile.catalog_apps, reconcile.stored_download_keys
            "$0" doctor $DOCTOR > said | 1 | ! doctor names them
            grep -c 'is missing' said && ! grep 'doctor names them' said | 0 | = 3
            """#)
    }

    private func doctor(
        _ steps: String, _ answer: LoopbackServer.Act = .reply(AppleAnswer.status(21002))
    ) async throws {
        try await Session.empty(others: answer) { scene in
            try await scene.test.store(receipt: "r1", of: "ann", at: "yesterday")
            try await scene.test.store(entitlement: "e1", of: "ann", expires: "2036-12-10")
            try await scene.steps(
                """
                insert into team.products values \
                ('pro.monthly', 'auto_renewable', 'G', 1, null, '1 month', 9.99, 'USD')
                \(steps)
                """)
        }
    }
}
