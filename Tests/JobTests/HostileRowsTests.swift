import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Text in the team's tables is untrusted input.
@Suite("Hostile rows", .timeLimit(.minutes(10)))
struct HostileRowsTests {
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
        let answers = Dictionary(
            uniqueKeysWithValues: Self.texts.map { (TestDatabase.receipt($0), Self.answer($0)) })
        let apple = StrangerScene.Answers { .reply(answers[$0] ?? AppleAnswer.status(21003)) }
        try await StrangerScene.with(apple) { scene in
            try await Self.store(in: scene)
            let job = try await scene.run(
                "--log-level=debug", "--progress=always", "--log-format=\(format)")
            #expect(job.status == 0, "\(job.lastLine)")
            let count = Self.texts.count
            let reports = try PublishedReports(scene.latest)
            #expect(
                reports.control("receipts") == [
                    "in_scope": 3 * count, "verified": count, "rejected": 0,
                    "unusable": 2 * count, "unverified": 0,
                ])
            let entitlements = try #require(reports.control("entitlements"))
            #expect(entitlements["in_scope"] == 5 * count)
            #expect(try #require(entitlements["not_judged"]) >= 2 * count)
            expectOneBucket(reports)
            try expectText(in: scene)
            expectHarmless(job, isJSON: format == "json")
        }
    }

    @Test("An id may be any text, and is reported as it is stored")
    func ids() async throws {
        try await StrangerScene.with(.always(AppleAnswer.verified())) { scene in
            let rows = Self.texts.map { text in
                [text, text, text, nil, "true", nil, nil, nil, "app_store", Self.long]
            }
            try await scene.insert(rows, into: "entitlements")
            let products = Self.texts.map { text in
                [text, "auto_renewable", text, "1", nil, "1 month", "9.99", text]
            }
            try await scene.insert(products, into: "products")
            let job = try await scene.run()
            #expect(job.status == 0, "\(job.lastLine)")
            let lines = try Self.json("\(scene.latest)/mismatches.json")
            for column in ["user_id", "entitlement_id", "product_stored"] {
                let told = lines.compactMap { $0[column] as? String }.map { Array($0.utf8) }
                #expect(Set(told) == Set(Self.texts.map { Array($0.utf8) }), "\(column)")
            }
        }
    }

    private static let long = "2026-10-01T00:00:00Z"

    /// Apple knows an expired subscription of this name, and of one with a NUL in it.
    private static func answer(_ text: String) -> String {
        var name: [UInt8] = []
        name.append(jsonString: text)
        let inside = String(decoding: name.dropFirst().dropLast(), as: UTF8.self)
        let nul = text == "NULL" ? #"\u0000"# : ""
        let period = AppleAnswer.period("7", of: inside + nul, from: -60, to: -30)
        // An answer needs a bundle id to be valid.
        return AppleAnswer.verified(bundle: inside.isEmpty ? "acme" : inside, [period])
    }

    /// For each text one user with three receipts (one valid, one without a known user) and five
    /// entitlements, of which two can be judged.
    private static func store(in scene: StrangerScene) async throws {
        var (receipts, entitlements): ([[String?]], [[String?]]) = ([], [])
        for text in texts {
            let receipt = TestDatabase.receipt(text)
            receipts += [
                [text, text, text, receipt, long], ["bad " + text, text, text, text, long],
                ["nobody's " + text, nil, text, receipt, nil],
            ]
            entitlements += [
                [text, text, text, text, "true", nil, nil, text, "app_store", long],
                ["paid " + text, text, text, text, "true", nil, nil, nil, "legacy_paid", long],
                ["other " + text, text, text, text, "true", nil, nil, nil, text, long],
                ["null " + text, text, nil, text, nil, nil, nil, nil, text, long],
                [
                    "unsold " + text, text, "no " + text, nil, "true", nil, nil, nil, "app_store",
                    long,
                ],
            ]
        }
        try await scene.insert(receipts, into: "receipts")
        try await scene.insert(entitlements, into: "entitlements")
        let products = texts.map { [$0, "auto_renewable", $0, "1", nil, "1 month", "1", $0] }
        try await scene.insert(products, into: "products")
        try await scene.insert(texts.map { [$0, $0, long, $0] }, into: "apps")
    }

    private func expectOneBucket(_ reports: PublishedReports) {
        for name in ["receipts", "entitlements"] {
            let control = reports.control(name) ?? [:]
            let buckets = control.filter { $0.key != "in_scope" }.values.reduce(0, +)
            #expect(control["in_scope"] == buckets, "\(name): \(control)")
        }
    }

    /// The CSV cells equal the JSON values, apart from the neutralising mark.
    private func expectText(in scene: StrangerScene) throws {
        let files = ["expirations", "refunds", "mismatches", "receipts", "unverified"]
        var cells = 0
        for file in files {
            let objects = try Self.json("\(scene.latest)/\(file).json")
            let text = try String(contentsOfFile: "\(scene.latest)/\(file).csv", encoding: .utf8)
            let table = CSVTable(text)
            try #require(objects.count == table.rows.count, "\(file)")
            for (object, row) in zip(objects, table.rows) {
                #expect(row.count == table.header.count)
                for case (let key, let value as String) in object {
                    let isFormula = "=+-@\t\r\n＝＋－＠".unicodeScalars.contains {
                        $0 == value.unicodeScalars.first
                    }
                    let cell = isFormula ? "'" + value : value
                    #expect(row[key].map { Array($0.utf8) } == Array(cell.utf8), "\(file) \(key)")
                    cells += 1
                }
            }
        }
        #expect(cells > 1_000)
    }

    /// No control character for a terminal, and none that hides or reorders text.
    private func expectHarmless(_ job: JobProcess, isJSON: Bool) {
        for scalar in (job.output + job.error).unicodeScalars where scalar != "\n" {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                Issue.record("U+\(String(scalar.value, radix: 16)) came out")
            default: break
            }
        }
        let lines = job.error.split(separator: "\n")
        #expect(lines.count > Self.texts.count)
        for line in lines where isJSON {
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
            #expect(object is [String: Any], "\(line.prefix(200))")
        }
    }

    private static func json(_ path: String) throws -> [[String: Any]] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    }
}
