import Foundation
import Testing

@testable import TestSupport

/// To add a case: copy a test, and write what is wrong with the database and what the run or the
/// command says, with the verbs in `Tests/README.md`.
@Suite("Problems with the database", .hangLimit)
struct DatabaseTroubleTests {
    private static let pgpass =
        "Check the role, and its password in ~/.pgpass or in the file that PGPASSFILE names."

    @Test("A missing and a wrong password are reported with where it is looked for")
    func password() async throws {
        try await Session.with { session in
            let role = session.test.name
            try await session.sql(
                """
                do $$ begin create role needs_password nologin;
                exception when duplicate_object or unique_violation then null; end $$;
                grant needs_password to \(role)
                """)
            let without = Launch(environment: ["PGPASSFILE": "/nowhere"], unset: ["PGPASSWORD"])
            try await session.run(with: without).exits(77)
                .says("no password supplied").advises(Self.pgpass)
            try await session.sql("alter role \(role) password 'another'")
            try await session.run().exits(77).omits("canary").advises(Self.pgpass)
                .says("The database refuses access:", "password authentication failed")
            #expect(session.published == [])
            #expect(session.apple.asks.isEmpty)
        }
    }

    @Test("A view whose query fails is named with PostgreSQL's message and no value")
    func failingView() async throws {
        try await Session.with { session in
            try await session.sql(
                """
                update team.receipts set bundle = 'hunter2', data = repeat('hunter2', 99);
                create function team.refuse(data text) returns text language plpgsql as
                    'begin raise exception ''This is %'', data using hint = data; end'
                """)
            func failure(of view: String) async throws -> JobProcess {
                try await session.sql(view)
                return try await session.run("--log-level=debug").exits(65)
                    .omits("hunter2", "canary")
            }
            try await failure(of: receiptsView(bundle: "case when bundle::int > 0 then bundle end"))
                .says("reconcile.stored_receipts")
                .says("SQLSTATE 22P02: invalid input syntax for type integer: ‹…›")
                .advises("Correct the views in schema reconcile, then run again.")
            for data in ["data::int::text", "team.refuse(data)"] {
                try await failure(of: receiptsView(data: data))
                    .says("reconcile.stored_receipts.receipt_")
            }
            #expect(session.published == [])
        }
    }

    @Test("A command that must own its objects names the owner to ask for")
    func owner() async throws {
        try await Session.with { session in
            let role = session.test.name
            try await session.sql("drop schema reconcile, team cascade")
            try await session.program("migrate", "--database=\(session.login)").exits(77)
                .advises("Connect as the owner of the database.").omits("--roles")
            try await session.job("migrate", "--with-reference-app").exits()
            try await session.sql(
                """
                grant usage on schema reconcile, app to \(role);
                grant select on all tables in schema app to \(role)
                """)
            try await session.program("simulate", "--customers=1", "--load=\(session.login)")
                .exits(77).printsNothing().omits("--roles")
                .advises("Connect as the owner of schema app.")
        }
    }

    struct Encoding: CustomTestStringConvertible, Sendable {
        let encoding: String
        /// SQL for the user's id.
        let user: String
        /// A product in Apple's answer has a name in Japanese.
        var isProductForeign = false
        var status: Int32 = 0
        /// What the CSV files contain.
        var reported: [String] = []
        /// The end of the last line contains it.
        var says: [String] = []

        var testDescription: String { "\(user) in \(encoding)" }
    }

    @Test(
        "In another encoding text is used as UTF-8, or replaced with a finding; other bytes are 65",
        arguments: [
            Encoding(encoding: "LATIN1", user: #"E'Zo\u00EB'"#, reported: ["Zoë"]),
            Encoding(encoding: "SQL_ASCII", user: #"E'Zo\xC3\xAB'"#, reported: ["Zoë"]),
            Encoding(
                encoding: "SQL_ASCII", user: #"E'Zo\xEB'"#, status: 65,
                says: [
                    #"invalid byte sequence for encoding "UTF8""#,
                    "reconcile.stored_entitlements.user_id",
                ]),
            Encoding(
                encoding: "LATIN1", user: "'zoe'", isProductForeign: true,
                reported: ["parse_anomaly", "unknown_product", "pro.??"]),
        ])
    func encoding(row: Encoding) async throws {
        let period = AppleAnswer.period("1", of: "pro.\u{65E5}\u{672C}", from: -40, to: -10)
        let answer = AppleAnswer.verified(row.isProductForeign ? [period] : [])
        try await Session.with(acts: ["zoe": .reply(answer)]) { session in
            let name = session.test.name + "_encoded"
            let test = TestDatabase(name: name, url: session.test.url + "_encoded")
            try await session.sql(
                """
                create database \(name) encoding '\(row.encoding)' locale 'C' template template0
                """)
            try await session.program("migrate", "--database=\(test.url)").exits()
            // SQL_ASCII does not support ICU collations.
            let tables = TestDatabase.teamTables.replacing(#" collate "en-x-icu""#, with: "")
            try await test.execute(tables + TestDatabase.teamViews + Self.rows(of: row.user))
            let job = try await session.run(
                "--allow-writable-role", "--database=\(test.url)", "--output=none"
            ).exits(row.status).omits("createdb")
            for text in row.says { job.says(text) }
            if row.status == 0 {
                let files = ["expirations", "refunds", "mismatches", "receipts", "totals"]
                let csv = files.map { session.read("reports/latest/\($0).csv") }.joined()
                for text in row.reported { #expect(csv.contains(text)) }
                #expect(!csv.contains("still_granted"))
                try await session.latestReports()
            }
            try await session.sql("drop database \(name)")
        }
    }

    private static func rows(of user: String) -> String {
        """
        insert into team.products (id, kind) values ('pro.monthly', 'auto_renewable');
        insert into team.receipts (id, who, bundle, data, at)
        values ('r', \(user), 'acme', '\(TestDatabase.receipt("zoe"))', '2026-11-01');
        insert into team.entitlements (id, who, product, active, source, at)
        values ('e', \(user), 'pro.monthly', true, 'app_store', '2026-10-01');
        """
    }
}

/// SQL that makes the view of the receipts anew, with these columns.
func receiptsView(bundle: String = "bundle", data: String = "data", at: String = "at") -> String {
    """
    drop view reconcile.stored_receipts; create view reconcile.stored_receipts as select
    id as receipt_id, who as user_id, \(bundle) as bundle_id, \(data) as receipt_data,
    \(at) as stored_at from team.receipts;
    grant select on reconcile.stored_receipts to reconcile_job
    """
}
