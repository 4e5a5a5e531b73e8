import Foundation
import Testing

/// The files of one published run, checked by `verify`.
struct PublishedReports {
    private static let findingFiles = [
        "expirations", "refunds", "mismatches", "receipts", "cleared",
    ]

    private let folder: String
    let summary: [String: Any]

    init(_ folder: String) throws {
        self.folder = folder
        try JobProcess(["verify", folder]).ends()
        summary = try Self.json(folder + "/summary.json") as? [String: Any] ?? [:]
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

    /// Compares CSV with JSON, byte by byte, the summary's counts with the rows, and the controls
    /// with each other.
    func expectToTieOut() throws {
        let findings = summary["findings"] as? [String: Any] ?? [:]
        var total = 0
        for file in Self.findingFiles + ["unverified", "not_reported"] {
            let json = try rows(file)
            let path = URL(fileURLWithPath: "\(folder)/\(file).csv")
            let csv = try Self.csv(Array(Data(contentsOf: path)))
            #expect(json.count == csv.count, "\(file)")
            for (object, cells) in zip(json, csv) {
                #expect(Set(object.keys) == Set(cells.keys), "\(file)")
                for (key, value) in object {
                    #expect(cells[key] == Array(Self.cell(value).utf8), "\(file), \(key)")
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
    }

    private func rows(_ file: String) throws -> [[String: Any]] {
        try #require(try Self.json("\(folder)/\(file).json") as? [[String: Any]])
    }

    /// The lines of a file by column name, by RFC 4180: cells may contain line breaks.
    private static func csv(_ bytes: [UInt8]) throws -> [[String: [UInt8]]] {
        var lines: [[[UInt8]]] = [[[]]]
        let quote = UInt8(ascii: "\"")
        for (place, piece) in bytes.split(separator: quote, omittingEmptySubsequences: false)
            .enumerated()
        {
            let isQuoted = place % 2 == 1
            // A quotation mark is doubled within quotation marks.
            for byte in piece.isEmpty && !isQuoted ? [quote] : piece {
                switch byte {
                case UInt8(ascii: ",") where !isQuoted: lines[lines.count - 1].append([])
                case UInt8(ascii: "\n") where !isQuoted: lines.append([[]])
                case UInt8(ascii: "\r") where !isQuoted: continue
                default: lines[lines.count - 1][lines[lines.count - 1].count - 1].append(byte)
                }
            }
        }
        #expect(lines.popLast() == [[]])
        let header = lines.removeFirst().map { String(decoding: $0, as: UTF8.self) }
        return try lines.map { line in
            try #require(line.count == header.count)
            return Dictionary(uniqueKeysWithValues: zip(header, line))
        }
    }

    /// A value's cell. A text that a spreadsheet would take for a formula is marked.
    private static func cell(_ value: Any) -> String {
        switch value {
        case let text as String:
            text.unicodeScalars.first.map("=+-@\t\r\n＝＋－＠".unicodeScalars.contains) == true
                ? "'" + text : text
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
