import Foundation
import Testing

@testable import TestSupport

/// The built program, run to its end.
struct JobProcess: Sendable {
    let status: Int32
    let output: String
    let error: String

    var lastLine: String { error.split(separator: "\n").last.map(String.init) ?? "" }
}

extension JobProcess {
    /// Like the `ChildProcess` of a script. Few run at a time.
    init(
        _ script: String, environment: [String: String] = [:], in folder: String? = nil
    ) async throws {
        self = try await ConcurrencyLimit.respected {
            try await ChildProcess(script, environment: environment, in: folder).finish()
        }
    }
}

extension ChildProcess {
    /// - Parameters:
    ///   - script: of a shell, for which the built program is on the path, and `$0`. It gets
    ///     signals if `exec` is before its name.
    ///   - environment: in addition to the path.
    convenience init(
        _ script: String, environment: [String: String] = [:], in folder: String? = nil
    ) throws {
        let programs = Bundle.main.bundleURL.path
        // What scripts/sanitize sets holds for the program, too.
        var all = ProcessInfo.processInfo.environment.filter { name, _ in
            ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains(name)
        }
        all["PATH"] = programs + ":/usr/local/bin:/usr/bin:/bin"
        try self.init(
            "/bin/sh", ["-c", script, programs + "/reconcile-job"],
            environment: all.merging(environment) { $1 }, in: folder)
    }

    /// Waits until something is printed.
    func ready() async {
        await inThread { [output] in
            var descriptor = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
            while poll(&descriptor, 1, -1) < 0 {}
        }
    }

    /// What the program printed up to and including `end`; everything if it ended before.
    func said(until end: String) async -> String {
        await inThread { [output] in
            var text = ""
            while !text.contains(end) {
                let data = output.availableData
                guard !data.isEmpty else { break }
                text += String(decoding: data, as: UTF8.self)
            }
            return text
        }
    }

    /// Sends the signal, if any, and waits for the process.
    @discardableResult
    func finish(by signal: Int32? = nil) async -> JobProcess {
        if let signal { send(signal) }
        // Both pipes are read in parallel: a process that blocks on a full pipe would never end.
        async let error = text(of: self.error)
        let output = await text(of: self.output)
        return await JobProcess(status: inThread { self.wait() }, output: output, error: error)
    }

    private func text(of pipe: FileHandle) async -> String {
        await inThread { String(decoding: pipe.readDataToEndOfFile(), as: UTF8.self) }
    }

    func inThread<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }
}

/// The files of one published run. `verify` finds that they are complete and that all numbers
/// agree, and each CSV equals its JSON, byte by byte, as this type writes it.
struct PublishedReports {
    let controls: [String: [String: Int]]
    private let folder: String

    init(_ folder: String) async throws {
        self.folder = folder
        try await JobProcess("reconcile-job verify \(folder)").ends()
        let summary = try Self.json(folder + "/summary.json") as? [String: Any]
        controls = try #require(summary?["controls"] as? [String: [String: Int]])
        let files = "expirations refunds mismatches receipts cleared unverified not_reported"
        for file in files.split(separator: " ") { try compareFormats(of: String(file)) }
    }

    /// The receipts in scope, verified, rejected, unusable, and unverified.
    var receipts: [Int?] {
        ["in_scope", "verified", "rejected", "unusable", "unverified"]
            .map { controls["receipts"]?[$0] }
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
