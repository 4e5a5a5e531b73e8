import Foundation
import Testing

@testable import Reconcile

/// A folder of answers and receipts: `Tests/Fixtures`, or one of those that `RECONCILE_CORPUS`
/// names, separated by colons, with real ones, which contain people's purchase history.
/// `EXPECT.csv` has the expected reading: a row `response` or `receipt` for a file, one
/// `response-item` for each chain and product of an answer, and one `receipt-item` for each
/// purchase in a receipt. A column that is empty in all rows of a kind says nothing.
struct Corpus: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let folder: String
    /// The authority of genuine receipts, and its name in the column `chain`.
    let roots: TrustedRoots
    let authority: String
    private let rows: [Expectation]
    /// The columns with an expectation, by the kind of row.
    private let known: [String: Set<String>]

    static let all = {
        let folder = SourceTree.root + "/Tests/Fixtures"
        let root = try? Data(contentsOf: URL(filePath: folder + "/certs/root.pem"))
        let roots = TrustedRoots.certificates(inFile: [UInt8](root ?? Data())) ?? []
        let fixtures = Corpus("fixtures", folder, TrustedRoots(roots), "FixtureRoot")
        let real = ProcessInfo.processInfo.environment["RECONCILE_CORPUS"] ?? ""
        return [fixtures]
            + real.split(separator: ":").map(String.init).map { folder in
                Corpus(URL(filePath: folder).lastPathComponent, folder, .apple, "AppleRootCA")
            }
    }()

    var isReal: Bool { authority == "AppleRootCA" }

    private init(_ name: String, _ folder: String, _ roots: TrustedRoots, _ authority: String) {
        testDescription = name
        self.folder = folder
        self.roots = roots
        self.authority = authority
        let table = try? String(contentsOfFile: folder + "/EXPECT.csv", encoding: .utf8)
        let lines = (table ?? "").split(whereSeparator: \.isNewline).map(Self.cells)
        rows = lines.dropFirst().map { line in
            Expectation(cells: Dictionary(uniqueKeysWithValues: zip(lines[0], line)))
        }
        known = rows.reduce(into: [:]) { known, row in
            known[row["row"], default: []].formUnion(
                row.cells.filter { !$0.value.isEmpty }.map(\.key))
        }
    }

    func rows(_ kind: String) -> [Expectation] { rows.filter { $0["row"] == kind } }

    /// The rows `receipt` of files in the folder `receipts`; others are of `jws`.
    var receipts: [Expectation] { rows("receipt").filter { $0.file.hasPrefix("receipts/") } }

    func knows(_ column: String, of row: Expectation) -> Bool {
        known[row["row"]]?.contains(column) ?? false
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

    struct Expectation {
        let cells: [String: String]
        subscript(column: String) -> String { cells[column] ?? "" }
        var file: String { self["file"] }

        /// Nothing in the file can be read as a receipt.
        var isBroken: Bool { self["environment"].isEmpty && self["bundle_id"].isEmpty }

        func instant(_ column: String) -> Instant? {
            Int64(self[column]).map { Instant(milliseconds: $0) }
        }

        /// The times in a note such as `purchase=2020-06-20T18:39:36Z expires= cancelled=`; nil
        /// without such a note.
        var notedTimes: [Substring: Instant]? {
            guard self["note"].hasPrefix("purchase=") else { return nil }
            var noted: [Substring: Instant] = [:]
            for word in self["note"].split(separator: " ") {
                let pair = word.split(separator: "=", omittingEmptySubsequences: false)
                guard pair.count == 2 else { continue }
                // Xcode writes an offset without its colon.
                let time = pair[1].replacing(#/([+-]\d\d)(\d\d)$/#) { "\($0.1):\($0.2)" }
                noted[pair[0]] = Instant(rfc3339: String(time))
            }
            return noted
        }
    }

    private static func cells(of line: Substring) -> [String] {
        (line + ",").matches(of: #/(?:"((?:[^"]|"")*)"|([^,]*)),/#).map { match in
            String(match.1 ?? match.2 ?? "").replacing("\"\"", with: "\"")
        }
    }
}
