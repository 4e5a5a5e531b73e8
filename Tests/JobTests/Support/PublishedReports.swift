import Foundation
import Testing

/// The files of one published run, checked by `verify`.
struct PublishedReports {
    private static let findingFiles = [
        "expirations", "refunds", "mismatches", "receipts", "cleared",
    ]

    private let folder: String
    let summary: [String: Any]
    private let manifest: [String: Any]

    init(_ folder: String) throws {
        self.folder = folder
        let proof = try JobProcess(["verify", folder])
        #expect(proof.status == 0, "\(proof.output)\(proof.error)")
        summary = try Self.json(folder + "/summary.json") as? [String: Any] ?? [:]
        manifest = try Self.json(folder + "/manifest.json") as? [String: Any] ?? [:]
    }

    func control(_ name: String) -> [String: Int]? {
        (summary["controls"] as? [String: Any])?[name] as? [String: Int]
    }

    func column(_ name: String, of file: String) throws -> [String?] {
        try rows(file).map { $0[name] as? String }
    }

    /// A boolean column of a file, in line order; nil for an empty cell.
    func flags(_ name: String, of file: String) throws -> [Bool?] {
        try rows(file).map { $0[name] as? Bool }
    }

    /// `kind user` of each line of each file, in order.
    func kinds() throws -> [String: [String]] {
        var kinds: [String: [String]] = [:]
        for file in Self.findingFiles {
            kinds[file] = try rows(file).map { row in
                [row["kind"], row["user_id"]].compactMap { $0 as? String }.joined(separator: " ")
            }
        }
        return kinds
    }

    /// Compares CSV with JSON, the summary's counts with the rows, and the controls with each
    /// other.
    func expectToTieOut() throws {
        let findings = summary["findings"] as? [String: Any] ?? [:]
        var total = 0
        for file in Self.findingFiles + ["unverified", "not_reported"] {
            let (json, csv) = (try rows(file), try csv(file))
            #expect(json.count == csv.count, "\(file)")
            for (object, cells) in zip(json, csv) {
                #expect(Set(object.keys) == Set(cells.keys), "\(file)")
                for (key, value) in object {
                    #expect(cells[key] == Self.cell(value), "\(file), \(key)")
                }
            }
            guard let counted = (findings["by_file"] as? [String: Int])?[file] else { continue }
            #expect(counted == json.count, "\(file)")
            total += json.count
        }
        #expect(findings["total"] as? Int == total)
        for (name, control) in summary["controls"] as? [String: [String: Int]] ?? [:] {
            let buckets = control.filter { $0.key != "in_scope" }.values.reduce(0, +)
            #expect(control["in_scope"] == buckets, "\(name)")
        }
        // The buckets without findings, from the lines of not_reported.
        let buckets = try Dictionary(grouping: rows("not_reported")) { $0["bucket"] as? String }
        for bucket in ["settling", "unverified", "not_judged"] {
            #expect(
                control("entitlements")?[bucket] == buckets[bucket]?.count ?? 0, "\(bucket)")
        }
        #expect(!manifest.isEmpty)
    }

    private func rows(_ file: String) throws -> [[String: Any]] {
        try #require(try Self.json("\(folder)/\(file).json") as? [[String: Any]])
    }

    /// Lines by column name. Cells of these runs contain no line breaks.
    private func csv(_ file: String) throws -> [[String: String]] {
        let text = try String(contentsOfFile: "\(folder)/\(file).csv", encoding: .utf8)
        let lines = text.split(separator: "\r\n").map(Self.cells)
        let header = try #require(lines.first)
        return try lines.dropFirst().map { cells in
            try #require(cells.count == header.count)
            return Dictionary(uniqueKeysWithValues: zip(header, cells))
        }
    }

    private static func cells(_ line: Substring) -> [String] {
        var cells = [""]
        var isQuoted = false
        var isAfterQuote = false
        for character in line {
            // A quote within quotes is doubled.
            if character == "\"", isAfterQuote, !isQuoted { cells[cells.count - 1].append("\"") }
            isAfterQuote = character == "\"" && isQuoted
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: cells.append("")
            default: cells[cells.count - 1].append(character)
            }
        }
        return cells
    }

    private static func cell(_ value: Any) -> String {
        switch value {
        case let text as String: text
        case is NSNull: ""
        // An NSNumber of 0 or 1 converts to Bool; only a JSON boolean has the C type char.
        case let number as NSNumber where String(cString: number.objCType) == "c":
            String(number.boolValue)
        default: "\(value)"
        }
    }

    private static func json(_ path: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
