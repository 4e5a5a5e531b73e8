import FoundationEssentials

@testable import Reconcile

/// A folder of real answers and receipts, separate from this repository because it contains
/// people's purchase history. `RECONCILE_CORPUS` names it; without the variable its tests report
/// that they are disabled.
///
/// Its `EXPECT.csv` has an expert's reading of each file: one row `response` or `receipt` for a
/// file, one `response-item` for each chain and product of an answer. Columns are found by name.
enum Corpus {
    static let folder = ProcessInfo.processInfo.environment["RECONCILE_CORPUS"]
        .flatMap { $0.isEmpty ? nil : $0 }

    static var isAtHand: Bool { folder != nil }

    static func bytes(of file: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: (folder ?? "") + "/" + file)))
    }

    static func files(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: (folder ?? "") + "/" + name)
            .map { name + "/" + $0 }.sorted()
    }

    static func expectations() throws -> [Expectation] {
        let table = CSVTable(try bytes(of: "EXPECT.csv"))
        return table.rows.map(Expectation.init)
    }

    struct Expectation {
        let cells: [String: String]

        subscript(column: String) -> String { cells[column] ?? "" }

        var kind: String { self["row"] }
        var file: String { self["file"] }

        func instant(_ column: String) -> Instant? {
            Int64(self[column]).map(Instant.init(milliseconds:))
        }
    }
}

/// A CSV file by RFC 4180. Rows have the column names of the first line.
struct CSVTable {
    private(set) var rows: [[String: String]] = []

    init(_ bytes: [UInt8]) {
        let lines = Self.lines(bytes)
        guard let header = lines.first else { return }
        rows = lines.dropFirst().map { cells in
            Dictionary(zip(header, cells), uniquingKeysWith: { first, _ in first })
        }
    }

    private static func lines(_ bytes: [UInt8]) -> [[String]] {
        var lines: [[String]] = []
        var cells: [String] = []
        var cell: [UInt8] = []
        var isQuoted = false
        func close() { cells.append(String(decoding: cell, as: UTF8.self)) }
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\""):
                // A doubled quote within quotes closes and opens again.
                if !isQuoted, index > 0, bytes[index - 1] == byte { cell.append(byte) }
                isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                close()
                cell = []
            case UInt8(ascii: "\n") where !isQuoted:
                close()
                lines.append(cells)
                cells = []
                cell = []
            case UInt8(ascii: "\r") where !isQuoted: break
            default: cell.append(byte)
            }
        }
        if !cell.isEmpty || !cells.isEmpty {
            close()
            lines.append(cells)
        }
        return lines
    }
}
