import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a file in reports/schema, or a column with the values that its schema must list.
@Suite("A published JSON schema")
struct SchemaTests {
    @Test("Each JSON file has a schema of its name, with its $id, that lists every kind and cause")
    func names() throws {
        let findings = FindingFile.allCases.map(\.rawValue) + ["cleared"]
        let ranges = ["period_refunds", "period_expirations", "movements", "tie_out"]
        let others = ["unverified", "not_reported", "totals", "units"]
        let tables = findings + ["findings"] + others + ranges
        let documents = [
            "summary", "manifest", "released", "retracted", "erased", "signoff", "period_summary",
            "range_manifest", "tie_out_summary",
        ]
        let files = (tables + documents).map { "reports/schema/\($0).schema.json" }
        #expect(try SourceTree.paths(under: "reports/schema") == files.sorted())
        for name in tables + documents {
            let json = try schema(name).json
            #expect(json["type"] as? String == (tables.contains(name) ? "array" : "object"))
            // The $id of a file of findings is that of its target.
            let named = findings.contains(name) ? "findings" : name
            #expect(json["$id"] as? String == "urn:reconcile-job:schema:" + named, "\(name)")
        }
        for (name, column, expected) in [
            ("findings", "kind", FindingKind.allCases.map(\.rawValue)),
            ("findings", "severity", Severity.allCases.map(\.rawValue)),
            ("not_reported", "kind", FindingKind.ofStoredRows.map(\.rawValue)),
            ("period_refunds", "kind", PeriodEvent.kinds[.refunds]?.map(\.rawValue)),
            ("period_expirations", "kind", PeriodEvent.kinds[.expirations]?.map(\.rawValue)),
            (
                "movements", "kind",
                FindingKind.allCases.filter { !$0.isEvent }.map(\.rawValue)
            ),
            ("not_reported", "cause", NotReported.Cause.allCases.map(\.rawValue)),
        ] {
            let values = try schema(name).items.properties[column]?["enum"] as? [Any]
            #expect(values?.compactMap { $0 as? String } == expected, "\(name).\(column)")
        }
    }

    @Test("Written rows have the columns of the schema, with empty cells and with full ones")
    func rows() throws {
        try check([.sample(), .full], ReportedFinding.columns, by: "findings")
        try check([.sample()], UnverifiedReceipt.columns, by: "unverified")
        let notReported = [FindingKind.expiredStillGranted, nil].map {
            let row = NotReported(entitlement: "e1", bucket: .settling, kind: $0, cause: .recent)
            return NotReportedRow(user: "u1", notReported: row)
        }
        try check(notReported, NotReportedRow.columns, by: "not_reported")
        let total = FindingTotal(FindingTotal.Group(.full, asOf: .asOf), count: 2, amount: "0.66")
        try check([total], FindingTotal.columns, by: "totals")
        try check([.of("2026-10-01", sold: 1)], UnitLine.columns, by: "units")
    }

    @Test("The summary, the manifest and the mark of a folder are valid, also of an offline run")
    func documents() async throws {
        let temporary = try TemporaryFolder()
        for isOffline in [nil, true] {
            let run = Run.sample(
                suffix: isOffline == nil ? 1 : 2, isOffline: isOffline ?? false,
                unitDays: isOffline == nil ? 62 : nil)
            var summary = Summary.sample(run)
            summary.facts.units = UnitCounts()
            try await temporary.publish(summary, [.sample(.refundRecorded)])
            for name in ["summary", "manifest"] {
                let json = try checked(temporary.bytes("\(run.id)/\(name).json"), by: name)
                #expect((json as? [String: Any])?["offline"] as? Bool == isOffline)
            }
            for mark in MarkedFolder.Mark.allCases {
                let folder = MarkedFolder(mark, run: run.id, by: "ada", why: "cents", at: .asOf)
                #expect(try folder.publish(in: temporary.path, newest: nil))
                let json = try checked(temporary.bytes("\(run.id)/\(mark.fileName)"), by: "\(mark)")
                #expect((json as? [String: String])?["why"] == "cents")
            }
        }
    }

    @Test("The tables, the summary and the manifest of a period are valid")
    func periods() throws {
        let refunds = [
            PeriodEvent.refund("a", reversedOn: "2026-11-02"), .refund("b", amount: nil),
        ]
        try check(refunds, PeriodEvent.columns(.refunds), by: "period_refunds")
        try check([.expiry("c")], PeriodEvent.columns(.expirations), by: "period_expirations")
        let lines = [
            Movement.leak([.opening: (1, 316), .closing: (1, 333), .revalued: (0, 17)]),
            .leak([.new: (1, 0), .moved: (-1, 0)], currency: nil, isAccepted: true),
        ]
        try check(lines, Movement.columns, by: "movements")
        let period = try #require(FinancialPeriod.month("2026-10"))
        var events = PeriodTally()
        for event in refunds + [.expiry("c")] { try events.add(event) }
        for history in [["2026-10-31"], ["2026-09-30", "2026-10-31"]] {
            let runs = try PeriodRuns(of: period.days, in: history.map { .night($0) })
            let summary = try PeriodSummary(period, runs, lines, events)
            _ = try checked(PeriodJSON.bytes(summary), by: "period_summary")
        }
        let digest = String(repeating: "ab", count: 32)
        let manifest = RangeManifest(
            kind: .period, days: period.days, codeVersion: "0.1.0",
            files: [Manifest.Entry(name: "movements.csv", rows: 2, byteCount: 9, sha256: digest)])
        _ = try checked(manifest.json, by: "range_manifest")
    }

    @Test("The table and the summary of a tie-out are valid")
    func tieOut() throws {
        let apple = AppleReport.of(.on(4, "a", 3, refunded: 1), .on(5, "b", 1), days: 4...5)
        let ours = PublishedUnits.of(.on(4, "a", 3), .on(4, "c", 2), days: 3...4)
        let tieOut = try TieOut.of([apple], ours, days: 3...5)
        try check(tieOut.lines, TieOutLine.columns, by: "tie_out")
        _ = try checked(tieOut.summary.bytes, by: "tie_out_summary")
        let verdicts = try schema("tie_out").items.properties["verdict"]?["enum"] as? [String]
        #expect(verdicts == TieOutLine.Verdict.allCases.map(\.rawValue))
    }

    @Test("What is said of erased users is valid, and read again")
    func erased() throws {
        var erasure = Erasure()
        erasure.acts = [Erasure.Act(by: "a \"dpo\"", at: .asOf), Erasure.Act(by: "b", at: .asOf)]
        erasure.rows = ["refunds": 2, "not_reported": 1]
        try erasure.money.add(Money(minorUnits: 316, in: .usd), to: .leak)
        let digest = String(repeating: "ab", count: 32)
        let mark = ErasedMark(
            run: Run.sample().id, manifestSHA256: digest, formerSHA256: digest,
            publishedSHA256: digest, erasure: erasure)
        _ = try checked(mark.json, by: "erased")
        let stated = try #require(StatedErasure(mark.json))
        #expect(stated.users == 2)
        #expect(stated.lines == 3)
        #expect(stated.former == digest)
    }

    private func check<Row>(_ rows: [Row], _ columns: [Column<Row>], by name: String) throws {
        #expect(try schema(name).items.required == columns.map(\.name))
        var report = JSONReport(columns: columns)
        var bytes: [UInt8] = []
        for row in rows { report.append(row, of: .sample(), to: &bytes) }
        report.appendEnd(to: &bytes)
        #expect((try checked(bytes, by: name) as? [Any])?.count == rows.count)
    }

    private func checked(_ bytes: [UInt8], by name: String) throws -> Any {
        let json = try JSONSerialization.jsonObject(with: Data(bytes))
        try schema(name).check(json)
        return json
    }

    private func schema(_ name: String) throws -> Schema {
        let text = try SourceTree.file(at: "reports/schema/\(name).schema.json").text
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return Schema(json: try #require(json as? [String: Any]))
    }
}

/// The part of JSON Schema 2020-12 that our schemas use.
private struct Schema {
    typealias Object = [String: Any]

    let json: Object

    var required: [String] { json["required"] as? [String] ?? [] }
    var properties: [String: Object] { json["properties"] as? [String: Object] ?? [:] }
    /// The schema of each element of an array; for an object, one without any rule.
    var items: Schema { Schema(json: json["items"] as? Object ?? [:]) }

    func check(_ value: Any, at path: String = "$") throws {
        let types = (json["type"] as? [String]) ?? (json["type"] as? String).map { [$0] }
        if let types { #expect(types.contains(name(of: value)), "\(path): \(value)") }
        let isListed = (json["enum"] as? [Any])?.contains { "\($0)" == "\(value)" }
        #expect(isListed != false, "\(path): \(value)")
        if let pattern = json["pattern"] as? String, let text = value as? String {
            #expect(text.range(of: pattern, options: .regularExpression) != nil, "\(path): \(text)")
        }
        for element in value as? [Any] ?? [] { try items.check(element, at: path + "[]") }
        guard let object = value as? [String: Any] else { return }
        #expect(Set(required).isSubset(of: object.keys), "\(path)")
        for (key, member) in object {
            let rest = json["additionalProperties"] as? [String: Any]
            let known = try #require(properties[key] ?? rest, "\(path).\(key) is not in the schema")
            try Schema(json: known).check(member, at: path + "." + key)
        }
    }

    private func name(of value: Any) -> String {
        switch value {
        case is NSNull: "null"
        // Only a JSON boolean has the C type char.
        case let number as NSNumber where String(cString: number.objCType) == "c": "boolean"
        case is NSNumber: "integer"
        case is String: "string"
        case is [Any]: "array"
        default: "object"
        }
    }
}
