import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Tests run in the package's folder or below it; the schemas are in `reports/schema`.
@Suite("A published JSON schema")
struct SchemaTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("reports/schema")

    @Test("A schema has exactly the columns of its table")
    func columns() throws {
        let finding = try schema("findings").items
        #expect(finding.required == ReportedFinding.columns.map(\.name))
        let unverified = try schema("unverified").items
        #expect(unverified.required == UnverifiedReceipt.columns.map(\.name))
        let notReported = try schema("not_reported").items
        #expect(notReported.required == NotReportedRow.columns.map(\.name))
        let total = try schema("totals").items
        #expect(total.required == FindingTotal.columns.map(\.name))
    }

    @Test("Each JSON file has a schema of its name: an array for a table, else an object")
    func names() throws {
        let findings = FindingFile.allCases.map(\.rawValue) + ["cleared"]
        for table in findings + ["unverified", "not_reported", "totals"] {
            #expect(try schema(table).json["type"] as? String == "array", "\(table)")
        }
        for table in findings {
            #expect(try schema(table).json["$id"] as? String == id("findings"), "\(table)")
        }
        for document in ["summary", "manifest", "released", "retracted"] {
            #expect(try schema(document).json["type"] as? String == "object", "\(document)")
        }
    }

    @Test("A schema has an $id of its own; a symbolic link has that of its target")
    func identifiers() throws {
        let ending = ".schema.json"
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(ending) }
        #expect(files.count >= 8)
        for file in files {
            let path = Self.folder.appendingPathComponent(file).path
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            let named = String((target ?? file).dropLast(ending.count))
            let name = String(file.dropLast(ending.count))
            #expect(try schema(name).json["$id"] as? String == id(named), "\(file)")
        }
    }

    @Test("Written rows are valid, with empty cells and with full ones")
    func accepts() throws {
        for row in [ReportedFinding.sample(), .full] {
            var report = JSONReport(columns: ReportedFinding.columns)
            try schema("findings").check(try json(&report, row))
        }
        var report = JSONReport(columns: UnverifiedReceipt.columns)
        try schema("unverified").check(try json(&report, .sample()))
        for kind in [FindingKind.expiredStillGranted, nil] {
            var report = JSONReport(columns: NotReportedRow.columns)
            let row = NotReportedRow(
                user: "u1",
                notReported: NotReported(
                    entitlement: "e1", bucket: .settling, kind: kind, cause: .recent))
            try schema("not_reported").check(try json(&report, row))
        }
        var totals = JSONReport(columns: FindingTotal.columns)
        let total = FindingTotal(FindingTotal.Group(.full), count: 2, amount: "0.66")
        try schema("totals").check(try json(&totals, total))
        let summary = SummaryReport.json(
            .sample(findings: [.refundRecorded]), codeVersion: "0.1.0")
        try schema("summary").check(try JSONSerialization.jsonObject(with: Data(summary)))
        let entry = Manifest.Entry(
            name: "refunds.csv", rows: 0, byteCount: 5,
            sha256: Digest.sha256([]).hexadecimal)
        let manifest = Manifest(run: .sample(), codeVersion: "0.1.0", files: [entry]).json
        try schema("manifest").check(try JSONSerialization.jsonObject(with: Data(manifest)))
    }

    @Test("The documents of an offline run are valid")
    func acceptsOffline() throws {
        let start = Run.sample()
        let run = Run(id: start.id, asOf: start.asOf, scope: .everything, isOffline: true)
        let summary = SummaryReport.json(.sample(run), codeVersion: "0.1.0")
        let manifest = Manifest(run: run, codeVersion: "0.1.0", files: []).json
        for (name, bytes) in [("summary", summary), ("manifest", manifest)] {
            let json = try JSONSerialization.jsonObject(with: Data(bytes))
            try schema(name).check(json)
            #expect((json as? [String: Any])?["offline"] as? Bool == true)
        }
    }

    @Test("A schema lists every kind, severity, state and action that can be written")
    func enumerations() throws {
        let properties = try schema("findings").items.properties
        let kinds = properties["kind"]?["enum"] as? [String]
        #expect(kinds == FindingKind.allCases.map(\.rawValue))
        let severities = properties["severity"]?["enum"] as? [String]
        #expect(severities == Severity.allCases.map(\.rawValue))
        let notReported = try schema("not_reported").items.properties
        let postponedKinds = notReported["kind"]?["enum"] as? [Any]
        #expect(
            postponedKinds?.compactMap { $0 as? String } == FindingKind.ofStoredRows.map(\.rawValue)
        )
        let causes = notReported["cause"]?["enum"] as? [String]
        #expect(causes == NotReported.Cause.allCases.map(\.rawValue))
    }

    @Test(
        "The mark of a retracted or released run is valid",
        arguments: [
            MarkedFolder.Mark.retracted, .released,
        ])
    func acceptsMark(_ mark: MarkedFolder.Mark) throws {
        let place = try TemporaryFolder()
        let run = Run.sample()
        try FileManager.default.createDirectory(
            atPath: place.path + "/" + run.id.text, withIntermediateDirectories: false)
        let folder = MarkedFolder(
            mark, run: run.id, by: "ada", why: "prices in cents", at: run.asOf)
        #expect(try folder.publish(in: place.path, newest: nil))
        let written = URL(fileURLWithPath: "\(place.path)/\(run.id.text)/\(mark.fileName)")
        let json = try JSONSerialization.jsonObject(with: try Data(contentsOf: written))
        try schema(mark.rawValue).check(json)
        #expect((json as? [String: String])?["why"] == "prices in cents")
    }

    /// The file of a table with one row: an array.
    private func json<Row>(_ report: inout JSONReport<Row>, _ row: Row) throws -> Any {
        var bytes: [UInt8] = []
        report.append(row, of: .sample(), to: &bytes)
        report.appendEnd(to: &bytes)
        let rows = try JSONSerialization.jsonObject(with: Data(bytes)) as? [Any]
        try #require(rows?.count == 1)
        return try #require(rows)
    }

    private func id(_ name: String) -> String { "urn:reconcile-job:schema:" + name }

    private func schema(_ name: String) throws -> Schema {
        let file = Self.folder.appendingPathComponent("\(name).schema.json")
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        return Schema(json: try #require(json as? [String: Any]))
    }
}

/// The part of JSON Schema 2020-12 that our schemas use.
private struct Schema {
    let json: [String: Any]

    var required: [String] { json["required"] as? [String] ?? [] }
    var properties: [String: [String: Any]] {
        json["properties"] as? [String: [String: Any]] ?? [:]
    }
    /// The schema of each element of an array; for an object, one without any rule.
    var items: Schema { Schema(json: json["items"] as? [String: Any] ?? [:]) }

    func check(_ value: Any, at path: String = "$") throws {
        let types = (json["type"] as? [String]) ?? (json["type"] as? String).map { [$0] }
        if let types { #expect(types.contains(name(of: value)), "\(path): \(value)") }
        if let choices = json["enum"] as? [Any] {
            #expect(choices.contains { "\($0)" == "\(value)" }, "\(path): \(value)")
        }
        if let pattern = json["pattern"] as? String, let text = value as? String {
            #expect(text.range(of: pattern, options: .regularExpression) != nil, "\(path): \(text)")
        }
        if let elements = value as? [Any] {
            for element in elements { try items.check(element, at: path + "[]") }
        }
        guard let object = value as? [String: Any] else { return }
        #expect(Set(required).isSubset(of: Set(object.keys)), "\(path)")
        for (key, member) in object {
            let rest = json["additionalProperties"] as? [String: Any]
            let known = try #require(properties[key] ?? rest, "\(path).\(key) is not in the schema")
            try Schema(json: known).check(member, at: path + "." + key)
        }
    }

    private func name(of value: Any) -> String {
        switch value {
        case is NSNull: "null"
        case let number as NSNumber where isBoolean(number): "boolean"
        case is NSNumber: "integer"
        case is String: "string"
        case is [Any]: "array"
        default: "object"
        }
    }
}

private func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
}
