import Foundation
import Testing

@testable import Reconcile

/// A folder of answers and receipts, with an expert's reading of each.
///
/// There are two: `Tests/Fixtures`, which is invented and part of this repository, and a folder of
/// real answers and receipts that `RECONCILE_CORPUS` names. That one is separate because it
/// contains people's purchase history. Every test runs with each of them that is at hand.
///
/// `EXPECT.csv` has one row `response` or `receipt` for a file, one `response-item` for each chain
/// and product of an answer, and one `receipt-item` for each purchase in a receipt. Columns are
/// found by name.
struct Corpus: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let folder: String
    /// The authority of genuine receipts, and its name in the column `chain`.
    let roots: TrustedRoots
    let authority: String

    static let all = [fixtures] + (real.map { [$0] } ?? [])

    static let fixtures: Corpus = {
        let folder = SourceTree.root + "/Tests/Fixtures"
        let file = try? Data(contentsOf: URL(filePath: folder + "/certs/root.pem"))
        return Corpus(
            testDescription: "fixtures", folder: folder,
            roots: TrustedRoots(
                file.flatMap { TrustedRoots.certificates(inFile: [UInt8]($0)) } ?? []),
            authority: "FixtureRoot")
    }()

    static let real = ProcessInfo.processInfo.environment["RECONCILE_CORPUS"]
        .flatMap { $0.isEmpty ? nil : $0 }.map { folder in
            Corpus(
                testDescription: "real", folder: folder, roots: .apple, authority: "AppleRootCA")
        }

    func bytes(of file: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + file)))
    }

    /// A receipt as a service stores it: base64, where the file is not text already.
    func storedText(of file: String) throws -> [UInt8] {
        let bytes = try bytes(of: file)
        return file.hasSuffix(".base64") || file.hasSuffix(".jws") ? bytes : Base64.encode(bytes)
    }

    func files(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/" + name)
            .map { name + "/" + $0 }.sorted()
    }

    func rows(_ kind: String) throws -> [Expectation] {
        CSVTable(try bytes(of: "EXPECT.csv")).rows.map(Expectation.init).filter { $0.kind == kind }
    }

    struct Expectation {
        let cells: [String: String]

        subscript(column: String) -> String { cells[column] ?? "" }

        var kind: String { self["row"] }
        var file: String { self["file"] }

        /// Nothing in the file can be read as a receipt.
        var isBroken: Bool { self["environment"].isEmpty && self["bundle_id"].isEmpty }

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
        func close() {
            cells.append(String(decoding: cell, as: UTF8.self))
            cell = []
        }
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\""):
                // A doubled quote within quotes closes and opens again.
                if !isQuoted, index > 0, bytes[index - 1] == byte { cell.append(byte) }
                isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: close()
            case UInt8(ascii: "\n") where !isQuoted:
                close()
                lines.append(cells)
                cells = []
            case UInt8(ascii: "\r") where !isQuoted: break
            default: cell.append(byte)
            }
        }
        guard !cell.isEmpty || !cells.isEmpty else { return lines }
        close()
        return lines + [cells]
    }
}
