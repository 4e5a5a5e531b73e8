import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// A folder of report files: `Tests/Fixtures/apple-reports`, or one of those that
/// `RECONCILE_REPORT_SAMPLES` names, separated by colons. `EXPECT.csv` has the expected reading.
struct ReportSamples: CustomTestStringConvertible, Sendable {
    static let own = ReportSamples(folder: SourceTree.root + "/Tests/Fixtures/apple-reports")
    static let all = {
        let others = ProcessInfo.processInfo.environment["RECONCILE_REPORT_SAMPLES"] ?? ""
        return [own] + others.split(separator: ":").map { ReportSamples(folder: String($0)) }
    }()

    /// What is expected of one file.
    static let readable = all.flatMap(\.rows).filter { $0.exit == 0 && $0.files.count == 1 }
    static let refused = all.flatMap(\.rows).filter { $0.exit == 65 && $0.files.count == 1 }

    let folder: String

    var testDescription: String { folder }

    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + name)))
    }

    func report(_ name: String) throws -> AppleReport {
        try AppleReport.read(bytes(name), as: name)
    }

    /// Of `EXPECT.csv`: a file or several, or one product of a file.
    struct Row: Sendable {
        let samples: ReportSamples
        let files: [String]
        let exit: Int
        /// `any` for any line.
        let line: String
        let kind: String
        let rows: String
        let day: String
        let sku: String
        let app: String
        let sold: Int
        let refunded: Int
    }

    /// None when `EXPECT.csv` cannot be read.
    var rows: [Row] {
        let table = (try? bytes("EXPECT.csv")) ?? []
        let lines = String(decoding: table, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map(Self.cells)
        return lines.dropFirst().map { line in
            let cell = Dictionary(zip(lines[0], line), uniquingKeysWith: { first, _ in first })
            func text(_ name: String) -> String { cell[name] ?? "" }
            return Row(
                samples: self, files: text("files").split(separator: " ").map(String.init),
                exit: Int(text("exit")) ?? -1, line: text("line"), kind: text("kind"),
                rows: text("rows"), day: text("day"), sku: text("sku"), app: text("parent"),
                sold: Int(text("sold")) ?? 0, refunded: Int(text("refunded")) ?? 0)
        }
    }

    private static func cells(of line: Substring) -> [String] {
        (line + ",").matches(of: #/(?:"((?:[^"]|"")*)"|([^,]*)),/#).map { match in
            String(match.1 ?? match.2 ?? "").replacing("\"\"", with: "\"")
        }
    }
}

extension AppleReport {
    /// - Parameter pieceBytes: how many bytes the reader gets at once.
    static func read(
        _ bytes: [UInt8], as path: String = "report.txt", pieceBytes: Int = 1 << 18
    ) throws(UnreadableReport) -> AppleReport {
        let reader = AppleReportReader(path)
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieceBytes))
            try piece.withUnsafeBufferPointer { (buffer) throws(UnreadableReport) in
                try reader.read(UnsafeRawBufferPointer(buffer))
            }
            rest = rest.dropFirst(pieceBytes)
        }
        return try reader.finish()
    }

    static func read(
        _ lines: [String], as path: String = "report.txt"
    ) throws(UnreadableReport) -> AppleReport {
        try read(Array(lines.map { $0 + "\n" }.joined().utf8), as: path)
    }

    /// Of one product and day, over all apps.
    func units(_ product: ProductID, _ day: String, _ measure: UnitMeasure) -> Int {
        units.filter { key, _ in
            key.product == product && key.day == Instant(day: day) && key.measure == measure
        }.map(\.value.units).reduce(0, +)
    }
}
