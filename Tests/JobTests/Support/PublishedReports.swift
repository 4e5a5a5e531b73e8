import Foundation
import Testing

@testable import TestSupport

/// The files of one published run. `verify` finds that they are complete and that all numbers
/// agree, and each CSV equals its JSON, byte by byte, as this type writes it.
struct PublishedReports {
    let controls: [String: [String: Int]]
    private let folder: String
    private static let files = [
        "expirations", "refunds", "mismatches", "receipts", "cleared", "unverified", "not_reported",
    ]

    init(_ folder: String) async throws {
        self.folder = folder
        try await JobProcess("verify", folder).exits()
        let summary = try Self.json(folder + "/summary.json") as? [String: Any]
        controls = try #require(summary?["controls"] as? [String: [String: Int]])
        for file in Self.files { try compareFormats(of: file) }
    }

    /// The receipts of the run by their outcome.
    var receipts: ReceiptControls {
        let counts = controls["receipts"] ?? [:]
        return ReceiptControls(
            inScope: counts["in_scope"], verified: counts["verified"],
            rejected: counts["rejected"], unusable: counts["unusable"],
            unverified: counts["unverified"])
    }

    func column(_ name: String, of file: String) throws -> [String?] {
        try rows(file).map { $0[name] as? String }
    }

    private func compareFormats(of file: String) throws {
        let rows = try rows(file)
        let csv = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file).csv"))
        let head = String(decoding: csv.prefix { $0 != 13 }, as: UTF8.self)
        let names = head.split(separator: ",").map(String.init)
        #expect(rows.allSatisfy { Set($0.keys) == Set(names) }, "\(file)")
        let lines = rows.map { row in names.map { Self.cell(row[$0]) }.joined(separator: ",") }
        let text = ([head] + lines).map { $0 + "\r\n" }.joined()
        #expect(csv.elementsEqual(text.utf8), "\(file)")
    }

    private func rows(_ file: String) throws -> [[String: Any]] {
        try #require(try Self.json("\(folder)/\(file).json") as? [[String: Any]])
    }

    /// A value's cell, by RFC 4180. A text that a spreadsheet would take for a formula is marked.
    private static func cell(_ value: Any?) -> String {
        switch value {
        case let text as String:
            let scalars = text.unicodeScalars
            let isFormula = scalars.first.map("=+-@\t\r\n＝＋－＠".unicodeScalars.contains) == true
            let cell = (isFormula ? "'" : "") + text
            let isPlain = scalars.allSatisfy { $0 >= " " && $0 != "," && $0 != "\"" }
            if isPlain && !text.isEmpty { return cell }
            // Not by characters: one may consist of a quotation mark and an accent.
            let doubled = cell.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }
            return "\"\(doubled.joined())\""
        // An NSNumber of 0 or 1 converts to Bool; only a JSON boolean has the C type char.
        case let number as NSNumber where String(cString: number.objCType) == "c":
            return String(number.boolValue)
        case let number as NSNumber: return "\(number)"
        default: return ""
        }
    }

    private static func json(_ path: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    }
}

/// How many receipts had each outcome. A number that the summary does not have is nil.
struct ReceiptControls: Equatable {
    var inScope: Int?
    var verified: Int? = 0
    var rejected: Int? = 0
    var unusable: Int? = 0
    var unverified: Int? = 0
}
