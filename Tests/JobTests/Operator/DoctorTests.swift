import Foundation
import Testing

@testable import TestSupport

@Suite("The command doctor", .timeLimit(.minutes(10)))
struct DoctorTests {
    /// What is done to a working set-up, in SQL, by a flag or by another column of the view of the
    /// receipts, and the line of `doctor` about it.
    @Test(
        "doctor names everything that is broken",
        arguments: textPairs(
            """
            delete from reconcile.migration | problem schema
            drop view reconcile.stored_receipts \
                | problem views The view reconcile.stored_receipts is missing. Create it
            data::bytea as receipt_data \
                | problem views reconcile.stored_receipts.receipt_data is bytea, not text
            to_jsonb(data) as receipt_data | write receipt_data ->> 'the member that holds it'
            to_jsonb(data)::text as receipt_data | They are in quotation marks: of a jsonb column
            to_timestamp(extract(epoch from at) / 1000) as stored_at \
                | have a stored_at before the App Store existed
            update team.receipts set data = 'eyJh.eyJi.c2ln' \
                | verifyReceipt does not accept signed transactions of StoreKit 2.
            truncate team.receipts \
                | problem receipts the view reconcile.stored_receipts shows no row.
            truncate team.entitlements \
                | problem entitlements the view reconcile.stored_entitlements shows no row.
            update team.entitlements set source = 'ios' \
                | problem sources no row has source 'app_store'
            update team.receipts set at = '2024-01-01' \
                | problem guards A run would be held. The newest receipt or row is of 2026-10-01
            update team.entitlements set product = 'old.monthly' \
                | have a product that is not in reconcile.catalog_products
            update team.entitlements set who = concat('x-', who) \
                | Is user_id the same in both views?
            grant update on team.entitlements to $ROLE | problem read-only role
            revoke insert on reconcile.run from reconcile_job \
                | problem rights The database refuses access: no privilege to insert into
            --shared-secrets=/nowhere/secrets | problem files --shared-secrets
            --shared-secrets=$FOLDER/other | problem shared secrets 1 receipts of "acme" have none
            --reports=/proc/reports | problem reports Cannot write reports at /proc/reports
            --sandbox-url=http://127.0.0.1:1 | problem sandbox No connection was made
            --production-url=TLS | problem production The server's certificate is not trusted
            --database=host=127.0.0.1 port=1 | problem database Cannot reach
            """))
    func names(change: String, line: String) async throws {
        try await Self.healthy { scene in
            _ = try scene.folder.write("other = x", to: "other")
            let tls = change.contains("TLS") ? try TLSLoopbackServer(try TLSCertificate()) : nil
            let flag = change.replacing("TLS", with: "https://localhost:\(tls?.port ?? 0)/")
            let isFlag = flag.hasPrefix("--")
            let sql = change.contains(" as ") ? Self.receipts(with: change) : change
            try await scene.steps(
                """
                \(isFlag ? "" : sql)
                grant select on all tables in schema reconcile to reconcile_job
                "$0" doctor $DOCTOR \(isFlag ? "'\(flag)'" : "") | 1 | \(Self.row(line)) \
                    | ! \(StrangerScene.secret)
                """)
        }
    }

    private static func receipts(with column: String) -> String {
        let other = column.hasSuffix("receipt_data") ? "at as stored_at" : "data as receipt_data"
        return """
            drop view reconcile.stored_receipts
            create view reconcile.stored_receipts as select id as receipt_id, who as user_id, \
            bundle as bundle_id, \(column), \(other) from team.receipts
            """
    }

    /// A row of the output with this text in columns.
    private static func row(_ text: String) -> String {
        "~ " + NSRegularExpression.escapedPattern(for: text).replacing(" ", with: " +")
    }

    @Test("doctor names a clock that is a day off, and a secret that Apple refuses")
    func answers() async throws {
        let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT"
        try await Self.healthy(.reply(headers: [date], AppleAnswer.status(21000))) { scene in
            let clock = "problem production clock 1994-11-06T08:49:37Z, but this machine's clock"
            try await scene.steps("\"$0\" doctor $DOCTOR | 1 | \(Self.row(clock)) says")
        }
        try await Self.healthy(.reply(AppleAnswer.status(21004))) { scene in
            let secret = "problem secret Apple refuses the shared secret of \"acme\" (21004)."
            try await scene.steps("\"$0\" doctor $DOCTOR --live | 1 | \(Self.row(secret))")
        }
    }

    @Test("doctor finds no problem in a working set-up, writes nothing, and is quiet if told to be")
    func healthy() async throws {
        try await Self.healthy { scene in
            // Prices in cents are a warning. A catalogue without prices gives no estimates.
            let json = try await scene.steps(
                #"""
                "$0" doctor $DOCTOR --live | 0 | $ A run can start. | ~ ^(?s:(?!problem).)*$
                select run_id from reconcile.run |
                ls -d reports/* | 2
                update team.products set price = 999
                "$0" doctor $DOCTOR | 0 | > they look like cents
                update team.products set price = null, currency = null
                "$0" doctor $DOCTOR --quiet | 0 | = | 2~ ^$
                "$0" doctor $DOCTOR --quiet --reports=/proc/reports | 1 | = | 2~ ^[^\n]+\n$
                "$0" doctor $DOCTOR --output=json | 0
                """#)
            let lines = try JSONDecoder().decode(
                [[String: String]].self, from: Data(json.output.utf8))
            #expect(lines.contains { $0["check"] == "server" && $0["verdict"] == "ok" })
            #expect(lines.allSatisfy { $0.keys.sorted() == ["check", "detail", "verdict"] })
            // All problems are listed, and doctor itself is not recommended.
            try await scene.steps(
                """
                drop view reconcile.stored_receipts, reconcile.stored_entitlements, \
                reconcile.catalog_products, reconcile.catalog_apps, reconcile.stored_download_keys
                "$0" doctor $DOCTOR > said | 1 | ! doctor names them
                grep -c 'is missing' said | 0 | = 3
                grep 'doctor names them' said | 1
                """)
        }
    }

    private static func healthy(
        _ answer: LoopbackServer.Act = .reply(AppleAnswer.status(21002)),
        _ body: (StrangerScene) async throws -> Void
    ) async throws {
        try await StrangerScene.with(.init { _ in answer }) { scene in
            try await scene.sellForMoney()
            // The rows must be recent whenever the test runs.
            let yesterday = Date(timeIntervalSinceNow: -86_400).ISO8601Format()
            try await scene.test.store(receipt: "r1", of: "ann", at: yesterday)
            try await scene.test.store(entitlement: "e1", of: "ann", expires: "2036-12-10")
            try await body(scene)
        }
    }
}
