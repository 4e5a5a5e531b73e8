import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Text in the team's tables is untrusted input. To add a case: a text of `texts`.
@Suite("A run over strange rows", .hangLimit)
struct StrangeRowsTests {
    /// Ids that a client may have chosen. All differ.
    static let texts: [String] = [
        "=cmd|'/C calc'!A0", "+1+1", "-1+1", "@SUM(A1:A9)", "\u{FF1D}1+1", "\t=1", "\r=1", "\n=1",
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "]]>&amp;", "a\r\nb\tc",
        "\u{202E}gnp.exe\u{2066}", "a\u{200F}b\u{200E}c\u{61C}", "a\u{FEFF}b", "a\u{200B}b",
        "\u{1B}[31mred\u{1B}[0m\u{7}", "\u{9B}2J\u{85}", "\u{1}\u{8}\u{C}\u{1F}\u{7F}",
        "line\u{2028}paragraph\u{2029}", "'; drop table team.receipts; --", "\\N", "\\.", "\\",
        "\\u0000", "%00%s%n", "\"quoted\", comma", "a;b,c|d", "NULL", "null", "", " ", "  a  ",
        "é", "e\u{301}", "\u{1F98A}", "\u{E0041}", "\u{FFFE}", "{\"a\":[1]}", "$1", "${HOME}",
        "../../etc/passwd", "*", "%", String(repeating: "x", count: 10_000),
        String(repeating: "\u{202E}=", count: 5_000),
    ]

    @Test(
        "Each hostile row is counted in one bucket, and stays text in CSV, JSON and log",
        arguments: ["text", "json"])
    func text(format: String) async throws {
        let rows = Self.texts.map { (text: $0, receipt: TestDatabase.receipt($0)) }
        let answers = Dictionary(
            uniqueKeysWithValues: rows.map { ($0.receipt, Self.answer($0.text)) })
        let refusal = LoopbackServer.Act.reply(AppleAnswer.status(21003))
        try await Session.empty(acts: answers, others: refusal) { session in
            try await session.test.execute("create table team.texts (t text, receipt text)")
            try await session.test.insert(
                rows.map { ["t": $0.text, "receipt": $0.receipt] }, into: "texts")
            try await session.test.execute(Self.rows)
            try await session.run().exits()
            // Without a receipt each row is reported, and an id is printed as it is stored.
            let first = try await session.latestReports()
            let stored = Set(Self.texts.map { Array($0.utf8) })
            for column in ["user_id", "entitlement_id", "product_stored"] {
                let reported = try first.column(column, of: "mismatches").compactMap { $0?.utf8 }
                #expect(Set(reported.map(Array.init)) == stored, "\(column)")
            }
            try await session.test.execute(Self.moreRows)
            let job = try await session.run(
                "--log-level=debug", "--progress=always", "--log-format=\(format)"
            ).exits()
            let count = Self.texts.count
            let reports = try await session.latestReports()
            #expect(
                reports.receipts == .init(inScope: 3 * count, verified: count, unusable: 2 * count))
            let entitlements = try #require(reports.controls["entitlements"])
            #expect(entitlements["in_scope"] == 5 * count)
            let notJudged = try #require(entitlements["not_judged"])
            #expect(notJudged >= 2 * count)
            // No control character for a terminal, and none that hides or reorders text.
            let came = (job.output + job.error).unicodeScalars.filter { scalar in
                [.control, .format, .lineSeparator, .paragraphSeparator]
                    .contains(scalar.properties.generalCategory)
            }
            #expect(Set(came) == ["\n"])
            #expect(job.logged.count > count)
            for line in job.logged where format == "json" {
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
                #expect(object is [String: Any], "\(line.prefix(200))")
            }
        }
    }

    /// Apple knows an expired subscription of this name, and of one with a NUL in it.
    private static func answer(_ text: String) -> LoopbackServer.Act {
        var name: [UInt8] = []
        name.append(jsonString: text)
        let inside = String(decoding: name.dropFirst().dropLast(), as: UTF8.self)
        let product = inside + (text == "NULL" ? #"\u0000"# : "")
        let period = AppleAnswer.period("7", of: product, from: -60, to: -30)
        // An answer needs a bundle id to be valid.
        return .reply(AppleAnswer.verified(bundle: inside.isEmpty ? "acme" : inside, [period]))
    }

    /// For each text one user with a row that grants the product of that name.
    private static let rows = """
        insert into team.products (id, kind, grp, level, access, billing, price, currency)
        select t, 'auto_renewable', t, 1, null, interval '1 month', 9.99, t from team.texts;
        insert into team.entitlements (id, who, product, active, source, at)
        select t, t, t, true, 'app_store', '2026-10-01Z' from team.texts
        """

    /// For each text three receipts of that user (one valid, one without a known user) and four
    /// more rows, of which one can be judged.
    private static let moreRows = """
        update team.entitlements set chain = id, ownership = id;
        insert into team.receipts (id, who, bundle, data, at)
        select t, t, t, receipt, timestamptz '2026-10-01Z' from team.texts union all
        select 'bad ' || t, t, t, t, '2026-10-01Z' from team.texts union all
        select 'nobody''s ' || t, null, t, receipt, null from team.texts;
        insert into team.entitlements (id, who, product, chain, active, source, at)
        select name || t, t, product, chain, active, source, '2026-10-01Z'
        from team.texts, lateral (values
            ('paid ', t, t, true, 'legacy_paid'), ('other ', t, t, true, t),
            ('null ', null, t, null, t), ('unsold ', 'no ' || t, null, true, 'app_store')
        ) as row (name, product, chain, active, source);
        insert into team.apps (bundle, paid, until, premium)
        select t, t, timestamptz '2026-10-01Z', t from team.texts
        """

    @Test("Rows with any date are counted once, and so are ten thousand receipts of one user")
    func dates() async throws {
        let expired = AppleAnswer.verified([AppleAnswer.period("1", from: -60, to: -30)])
        try await Session.empty(others: .reply(expired)) { session in
            let bytes = ReceiptForge.receipt(ReceiptForge.payload(serial: "0000"))
            let index = try #require(bytes.firstRange(of: Array("0000".utf8))).lowerBound + 1
            // From PostgreSQL's earliest instant to its latest; each of ann's receipts five times.
            try await session.test.execute(
                """
                create view team.instants as select at, number
                from unnest(array[
                    null, '-infinity', '4713-12-31 00:00+00 BC', '1200-03-01 12:00+00 BC',
                    '0001-01-01 00:00Z', '1969-12-31 23:59:59.999Z', '2026-11-20 02:00Z',
                    '2026-12-10 02:00Z', '9999-12-31 23:59:59Z', '294276-12-31 23:59:59Z',
                    'infinity']::timestamptz[]) with ordinality as t (at, number);
                insert into team.receipts (id, who, bundle, data, at)
                select 'r' || number, 'u' || number, 'acme', '\(TestDatabase.receipt("r"))', at
                from team.instants;
                insert into team.entitlements (id, who, product, active, expires, source, at)
                select concat_ws('-', i.number, e.number, u.number), 'u' || i.number,
                    case when e.number % 2 = 1 then 'pro.monthly' else 'other' end, true,
                    e.at, 'app_store', u.at
                from team.instants as i, team.instants as e, team.instants as u;
                insert into team.apps (bundle, paid, until, premium)
                select 'app' || number, '1', at, 'gone' from team.instants;
                insert into team.receipts (id, who, bundle, data, at)
                select 'ann' || n, 'ann', 'acme', encode(overlay(
                    decode('\(Data(bytes).base64EncodedString())', 'base64')
                    placing convert_to(lpad((n % 2000)::text, 4, '0'), 'UTF8')
                    from \(index)), 'base64'), '2026-10-01' from generate_series(1, 10000) as n
                """)
            try await session.grant("ann")
            try await session.test.sell("pro.monthly")
            try await session.test.sell("other", kind: "non_consumable")
            try await session.run().exits()
            let reports = try await session.latestReports()
            // A null `stored_at` affects one receipt, a null `updated_at` one in eleven rows.
            #expect(reports.receipts == .init(inScope: 10_011, verified: 10_010, unusable: 1))
            #expect(session.apple.asks.count == 2_000 + 10)
            let rows = try reports.column("entitlement_id", of: "expirations")
            let kinds = try zip(rows, reports.column("kind", of: "expirations"))
            #expect(kinds.filter { $0.0 == "e-ann" }.map(\.1) == ["expired_still_granted"])
            #expect(reports.controls["entitlements"]?["in_scope"] == 11 * 11 * 11 + 1)
            #expect(reports.controls["entitlements"]?["not_judged"] == 11 * 11)
            let printed = try ["mismatches", "expirations"]
                .flatMap { try reports.column("stored_expires_at", of: $0) }
            for latest in ["infinity", "294276-12-31T23:59:59Z", "9999-12-31T23:59:59Z"] {
                #expect(printed.contains(latest))
            }
        }
    }

    @Test("A receipt of 10 MB is sent, and one that is too large to be loaded is unusable")
    func sizes() async throws {
        // Complete receipts with a long attribute.
        let receipts = [10_000_000, 40_000_000].map { size in
            ReceiptForge.base64(serial: String(repeating: "0", count: size))
        }
        try await Session.empty(others: .reply(AppleAnswer.verified())) { session in
            for (id, text) in [
                "large": receipts[0], "too large": receipts[1],
                "no receipt": String(repeating: "A", count: 10_000_000),
            ] { try await session.test.store(receipt: id, of: id, data: .text(text)) }
            try await session.run().exits()
            let verified = "select receipt_id from reconcile.outcome where outcome = 'verified'"
            try await session.query(verified).returns("large")
            let reports = try await session.latestReports()
            #expect(reports.receipts == .init(inScope: 3, verified: 1, unusable: 2))
            // No receipt is printed.
            let isSent = session.apple.asks.map(\.receipt) == [receipts[0]]
            #expect(isSent)
        }
    }
}
