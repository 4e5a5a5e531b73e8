import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A published JSON schema")
struct SchemaTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../../reports/schema").standardized

    @Test("A schema lists every column, kind, severity, state and action that can be written")
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

    @Test("Each JSON file has a schema of its name, whose $id is its own or that of its target")
    func names() throws {
        let findings = FindingFile.allCases.map(\.rawValue) + ["cleared"]
        let tables = findings + ["findings", "unverified", "not_reported", "totals"]
        let documents = ["summary", "manifest", "released", "retracted"]
        let ending = ".schema.json"
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(ending) }
        #expect(files.sorted() == (tables + documents).map { $0 + ending }.sorted())
        for file in files {
            let name = String(file.dropLast(ending.count))
            let json = try schema(name).json
            #expect(json["type"] as? String == (tables.contains(name) ? "array" : "object"))
            let named = findings.contains(name) ? "findings" : name
            #expect(json["$id"] as? String == "urn:reconcile-job:schema:" + named, "\(file)")
        }
    }

    @Test("Written rows have the columns of the schema, with empty cells and with full ones")
    func rows() throws {
        try check([.sample(), .full], ReportedFinding.columns, by: "findings")
        try check([.sample()], UnverifiedReceipt.columns, by: "unverified")
        let notReported = [FindingKind.expiredStillGranted, nil].map { kind in
            NotReportedRow(
                user: "u1",
                notReported: NotReported(
                    entitlement: "e1", bucket: .settling, kind: kind, cause: .recent))
        }
        try check(notReported, NotReportedRow.columns, by: "not_reported")
        let total = FindingTotal(FindingTotal.Group(.full), count: 2, amount: "0.66")
        try check([total], FindingTotal.columns, by: "totals")
    }

    @Test("The summary, the manifest and the mark of a folder are valid, also of an offline run")
    func documents() throws {
        for isOffline in [nil, true] {
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
        let place = try TemporaryFolder()
        let id = Run.sample().id
        try place.make(id.text)
        for mark in [MarkedFolder.Mark.retracted, .released] {
            let folder = MarkedFolder(mark, run: id, by: "ada", why: "cents", at: .asOf)
            #expect(try folder.publish(in: place.path, newest: nil))
            let json = try place.json("\(id.text)/\(mark.fileName)")
            try schema(mark.rawValue).check(json)
            #expect((json as? [String: String])?["why"] == "cents")
        }
    }

    private func check<Row>(_ rows: [Row], _ columns: [Column<Row>], by name: String) throws {
        #expect(try schema(name).items.required == columns.map(\.name))
        var report = JSONReport(columns: columns)
        var bytes: [UInt8] = []
        for row in rows { report.append(row, of: .sample(), to: &bytes) }
        report.appendEnd(to: &bytes)
        let json = try JSONSerialization.jsonObject(with: Data(bytes))
        #expect((json as? [Any])?.count == rows.count)
        try schema(name).check(json)
    }

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
