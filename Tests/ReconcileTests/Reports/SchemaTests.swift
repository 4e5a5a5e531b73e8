import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Tests run in the package's folder or below it; the schemas are in `reports/schema`.
@Suite("A published JSON schema")
struct SchemaTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../../reports/schema").standardized

    @Test(
        "A schema has exactly the columns of its table",
        arguments: [
            ("findings", ReportedFinding.columns.map(\.name)),
            ("unverified", UnverifiedReceipt.columns.map(\.name)),
            ("not_reported", NotReportedRow.columns.map(\.name)),
            ("totals", FindingTotal.columns.map(\.name)),
        ])
    func columns(name: String, columns: [String]) throws {
        #expect(try schema(name).items.required == columns)
    }

    @Test("A schema lists every kind, severity, state and action that can be written")
    func enumerations() throws {
        func listed(_ column: String, of name: String) throws -> [String]? {
            let values = try schema(name).items.properties[column]?["enum"] as? [Any]
            return values?.compactMap { $0 as? String }
        }
        #expect(try listed("kind", of: "findings") == FindingKind.allCases.map(\.rawValue))
        #expect(try listed("severity", of: "findings") == Severity.allCases.map(\.rawValue))
        let rows = FindingKind.ofStoredRows.map(\.rawValue)
        #expect(try listed("kind", of: "not_reported") == rows)
        let causes = NotReported.Cause.allCases.map(\.rawValue)
        #expect(try listed("cause", of: "not_reported") == causes)
    }

    @Test("Each JSON file has a schema of its name: an array for a table, else an object")
    func names() throws {
        let findings = FindingFile.allCases.map(\.rawValue) + ["cleared"]
        let tables = findings + ["unverified", "not_reported", "totals"]
        let documents = ["summary", "manifest", "released", "retracted"]
        for name in tables + documents {
            let type = tables.contains(name) ? "array" : "object"
            #expect(try schema(name).json["type"] as? String == type, "\(name)")
        }
        for table in findings {
            #expect(try schema(table).json["$id"] as? String == id("findings"), "\(table)")
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
    func acceptsRows() throws {
        for row in [ReportedFinding.sample(), .full] {
            try check(row, ReportedFinding.columns, by: "findings")
        }
        try check(.sample(), UnverifiedReceipt.columns, by: "unverified")
        for kind in [FindingKind.expiredStillGranted, nil] {
            let notReported = NotReported(
                entitlement: "e1", bucket: .settling, kind: kind, cause: .recent)
            let row = NotReportedRow(user: "u1", notReported: notReported)
            try check(row, NotReportedRow.columns, by: "not_reported")
        }
        let total = FindingTotal(FindingTotal.Group(.full), count: 2, amount: "0.66")
        try check(total, FindingTotal.columns, by: "totals")
    }

    @Test("The summary and the manifest are valid, also of an offline run", arguments: [nil, true])
    func acceptsDocuments(isOffline: Bool?) throws {
        let run = Run.sample(isOffline: isOffline ?? false)
        let summary = SummaryReport.json(
            .sample(run, findings: [.refundRecorded]), codeVersion: "0.1.0")
        let entry = Manifest.Entry(
            name: "refunds.csv", rows: 0, byteCount: 5, sha256: Digest.sha256([]).hexadecimal)
        let manifest = Manifest(run: run, codeVersion: "0.1.0", files: [entry]).json
        for (name, bytes) in [("summary", summary), ("manifest", manifest)] {
            let json = try JSONSerialization.jsonObject(with: Data(bytes))
            try schema(name).check(json)
            #expect((json as? [String: Any])?["offline"] as? Bool == isOffline)
        }
    }

    @Test(
        "The mark of a retracted or released run is valid",
        arguments: [MarkedFolder.Mark.retracted, .released])
    func acceptsMark(_ mark: MarkedFolder.Mark) throws {
        let place = try TemporaryFolder()
        let run = Run.sample()
        try place.make(run.id.text)
        let folder = MarkedFolder(mark, run: run.id, by: "ada", why: "cents", at: run.asOf)
        #expect(try folder.publish(in: place.path, newest: nil))
        let json = try place.json("\(run.id.text)/\(mark.fileName)")
        try schema(mark.rawValue).check(json)
        #expect((json as? [String: String])?["why"] == "cents")
    }

    /// Checks the file of a table with one row: an array.
    private func check<Row>(_ row: Row, _ columns: [Column<Row>], by name: String) throws {
        var report = JSONReport(columns: columns)
        var bytes: [UInt8] = []
        report.append(row, of: .sample(), to: &bytes)
        report.appendEnd(to: &bytes)
        let rows = try JSONSerialization.jsonObject(with: Data(bytes)) as? [Any]
        try #require(rows?.count == 1)
        try schema(name).check(try #require(rows))
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
        // Only a JSON boolean has the C type char.
        case let number as NSNumber where String(cString: number.objCType) == "c": "boolean"
        case is NSNumber: "integer"
        case is String: "string"
        case is [Any]: "array"
        default: "object"
        }
    }
}
