import Foundation
import Testing

@testable import TestSupport

/// Something that is broken in a working set-up, and the line of `doctor` about it.
struct Broken: CustomTestStringConvertible, Sendable {
    enum Part: Sendable {
        case sql(@Sendable (Session) -> String)
        case flag(String)
        /// A server whose certificate nobody signed.
        case untrustedServer
        /// `--live`, and Apple answers with this status.
        case live(status: Int)
        /// Of Apple's answers.
        case header(String)
    }

    let testDescription: String
    let part: Part
    let line: String

    static func sql(_ sql: String, _ line: String) -> Broken {
        Broken(testDescription: sql, part: .sql { _ in sql }, line: line)
    }
    /// - Parameter sql: with the name of the session's role.
    static func role(_ sql: @escaping @Sendable (String) -> String, _ line: String) -> Broken {
        Broken(
            testDescription: sql("ROLE"), part: .sql { sql($0.test.name) }, line: line)
    }
    static func flag(_ flag: String, _ line: String) -> Broken {
        Broken(testDescription: flag, part: .flag(flag), line: line)
    }
}

/// To add a case: a line of `everything`.
@Suite("doctor", .hangLimit)
struct DoctorTests {
    private static let everything: [Broken] = [
        .sql("delete from reconcile.migration", "problem schema"),
        .sql(
            "drop view reconcile.stored_receipts",
            "problem views The view reconcile.stored_receipts is missing. Create it"),
        .sql(
            receiptsView(data: "to_jsonb(data)"),
            "write receipt_data ->> 'the member that holds it'"),
        .sql(
            receiptsView(data: "to_jsonb(data)::text"),
            "They are in quotation marks: of a jsonb column"),
        .sql(
            receiptsView(at: "to_timestamp(extract(epoch from at) / 1000)"),
            "have a stored_at before the App Store existed"),
        .sql(
            "update team.receipts set data = 'eyJh.eyJi.c2ln'",
            "verifyReceipt does not accept signed transactions of StoreKit 2."),
        .sql(
            "truncate team.receipts",
            "problem receipts the view reconcile.stored_receipts shows no row."),
        .sql(
            "truncate team.entitlements",
            "problem entitlements the view reconcile.stored_entitlements shows no row."),
        .sql(
            "update team.entitlements set source = 'ios'",
            "problem sources no row has source 'app_store'"),
        .sql(
            "update team.receipts set at = '2024-01-01'",
            "problem guards A run would be held. The newest receipt or row is of 2026-10-01"),
        .sql(
            "update team.entitlements set product = 'old.monthly'",
            "have a product that is not in reconcile.catalog_products"),
        .sql(
            "update team.entitlements set who = concat('x-', who)",
            "Is user_id the same in both views?"),
        .role({ "grant update on team.entitlements to \($0)" }, "problem read-only role"),
        .sql(
            "revoke insert on reconcile.run from reconcile_job",
            "problem rights The database refuses access: no privilege to insert into"),
        .role(
            { "alter role \($0) set default_transaction_read_only = on" },
            "problem rights The session is read only"),
        .flag("--shared-secrets=/nowhere/secrets", "problem files --shared-secrets"),
        .flag("--shared-secrets=other", #"problem shared secrets 1 receipts of "acme" have none"#),
        .flag(
            "--reports=/proc/reports", "problem reports Cannot write reports at /proc/reports"),
        .flag("--sandbox-url=http://127.0.0.1:1", "problem sandbox No connection was made"),
        .flag("--database=host=127.0.0.1 port=1", "problem database Cannot reach"),
        Broken(
            testDescription: "an untrusted server", part: .untrustedServer,
            line: "problem production The server's certificate is not trusted"),
        Broken(
            testDescription: "a refused secret", part: .live(status: 21004),
            line: #"problem secret Apple refuses the shared secret of "acme" (status 21004)."#),
        Broken(
            testDescription: "another clock", part: .header("Date: Sun, 06 Nov 1994 08:49:37 GMT"),
            line: "problem production clock 1994-11-06T08:49:37Z, but this machine's clock says"),
    ]

    @Test("doctor names everything that is broken", arguments: everything)
    func names(broken: Broken) async throws {
        var answer = LoopbackServer.Act.reply(AppleAnswer.status(21002))
        if case .live(let status) = broken.part { answer = .reply(AppleAnswer.status(status)) }
        if case .header(let header) = broken.part {
            answer = .reply(headers: [header], AppleAnswer.status(21000))
        }
        let server = try TLSLoopbackServer(try TLSCertificate())
        try await Self.working(answer) { session in
            try session.write("other = x\n", to: "other")
            var flags: [String] = []
            switch broken.part {
            case .sql(let sql): try await session.sql(sql(session))
            case .flag(let flag): flags = [flag]
            case .untrustedServer: flags = ["--production-url=https://localhost:\(server.port)/"]
            case .live: flags = ["--live"]
            case .header: break
            }
            let job = try await session.doctor(flags).exits(1).omits(Session.secret)
            // The text is in columns.
            #expect(job.unwrapped.contains(broken.line), "\(job.output)")
        }
    }

    @Test("doctor finds no problem in a working set-up, writes nothing, and is silent with --quiet")
    func healthy() async throws {
        try await Self.working { session in
            let job = try await session.doctor("--live").exits().advises("A run can start.")
            #expect(job.lines != [])
            for line in job.lines { #expect(line.hasPrefix("ok ")) }
            let checks = try await session.doctor("--output=json").exits().json().items
            #expect(checks.count == job.lines.count - 1)
            for check in checks {
                #expect(check.names == ["check", "detail", "verdict"])
                #expect(check["verdict"] == "ok")
            }
            #expect(checks.contains { $0["check"] == "server" })
            let runs = try await session.runs()
            #expect(runs == [])
            #expect(session.published == [])
            try await session.doctor("--quiet").exits().printsNothing().logsNothing()
            let failed = try await session.doctor("--quiet", "--reports=/proc/reports").exits(1)
                .printsNothing()
            #expect(failed.logged.count == 1)
        }
    }

    @Test("doctor doubts prices in cents, does without prices, and names each missing view")
    func prices() async throws {
        try await Self.working { session in
            // Prices in cents are a warning; without prices there are no estimates.
            try await session.sql("update team.products set price = 999")
            try await session.doctor().exits().prints("they look like cents")
            try await session.sql("update team.products set price = null, currency = null")
            try await session.doctor("--quiet").exits().printsNothing().logsNothing()
            try await session.sql(
                """
                drop view reconcile.stored_receipts, reconcile.stored_entitlements,
                reconcile.catalog_products, reconcile.catalog_apps, reconcile.stored_download_keys
                """)
            let job = try await session.doctor().exits(1).omits("doctor names them")
            #expect(job.lines.filter { $0.contains("is missing") }.count == 3)
        }
    }

    /// A set-up without problems, and whether Apple can be reached.
    private static func working(
        _ answer: LoopbackServer.Act = .reply(AppleAnswer.status(21002)),
        _ body: (Session) async throws -> Void
    ) async throws {
        try await Session.empty(others: answer) { session in
            try await session.test.store(receipt: "r1", of: "ann", at: "yesterday")
            try await session.test.store(entitlement: "e1", of: "ann", expires: "2036-12-10")
            try await session.sql(
                """
                insert into team.products (id, kind, grp, level, billing, price, currency)
                values ('pro.monthly', 'auto_renewable', 'G', 1, '1 month', 9.99, 'USD')
                """)
            try await body(session)
        }
    }
}
