import Foundation
import Testing

@testable import TestSupport

/// Files, by paths from the session's folder. What reads does not throw, so that `#expect` can show
/// both sides: a file that cannot be read is recorded, and is empty.
extension Session {
    func path(_ name: String) -> String {
        name.hasPrefix("/") ? name : folder.path + "/" + name
    }

    func read(_ name: String, at location: SourceLocation = #_sourceLocation) -> String {
        readable(name, "", location) { try String(contentsOfFile: path(name), encoding: .utf8) }
    }

    func bytes(_ name: String, at location: SourceLocation = #_sourceLocation) -> [UInt8] {
        readable(name, [], location) {
            try Array(Data(contentsOf: URL(fileURLWithPath: path(name))))
        }
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The names in a folder, sorted, without those that begin with a dot.
    func list(_ name: String, at location: SourceLocation = #_sourceLocation) -> [String] {
        everything(in: name, at: location).filter { !$0.hasPrefix(".") }
    }

    func everything(in name: String, at location: SourceLocation = #_sourceLocation) -> [String] {
        readable(name, [], location) {
            try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
        }
    }

    /// The files below a folder by their paths from it, each with its bytes.
    func contents(of name: String, at location: SourceLocation = #_sourceLocation) -> [String: Data]
    {
        let names = readable(name, [], location) {
            try FileManager.default.subpathsOfDirectory(atPath: path(name))
        }
        return names.reduce(into: [:]) { contents, file in
            var isFolder: ObjCBool = false
            let whole = path(name + "/" + file)
            guard FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder),
                !isFolder.boolValue
            else { return }
            contents[file] = Data(bytes(whole, at: location))
        }
    }

    /// Where a symbolic link leads to.
    func target(of name: String, at location: SourceLocation = #_sourceLocation) -> String {
        readable(name, "", location) {
            try FileManager.default.destinationOfSymbolicLink(atPath: path(name))
        }
    }

    func mode(of name: String, at location: SourceLocation = #_sourceLocation) -> Int {
        readable(name, -1, location) { try folder.mode(of: name) }
    }

    fileprivate func readable<T>(
        _ name: String, _ nothing: T, _ location: SourceLocation, _ value: () throws -> T
    ) -> T {
        do { return try value() } catch {
            Issue.record("\(name) cannot be read: \(error)", sourceLocation: location)
            return nothing
        }
    }
}

extension Session {
    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        try folder.write(text, to: name, mode: mode)
    }

    /// Writes a text file with `new` in place of each `old`.
    func change(_ name: String, _ old: String, to new: String) throws {
        let text = read(name)
        try #require(text.contains(old), "\(name)")
        try write(text.replacing(old, with: new), to: name, mode: mode(of: name))
    }

    func copy(_ name: String, to other: String) throws {
        try FileManager.default.copyItem(atPath: path(name), toPath: path(other))
    }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: true)
    }

    /// Makes a symbolic link that leads to `target`.
    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path(name), withDestinationPath: target)
    }

    func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }
}

/// One line about a user in a report.
struct Reported: Equatable, CustomStringConvertible {
    let kind: String
    let user: String

    init(_ kind: String, of user: String) {
        self.kind = kind
        self.user = user
    }

    var description: String { "\(kind) of \(user)" }
}

/// Published reports, in `reports/latest` unless another folder is named.
extension Session {
    static let latest = "reports/latest"

    var reports: String { folder.path + "/reports" }

    /// The names in the folder of reports; none if it does not exist.
    var published: [String] { exists("reports") ? list("reports") : [] }

    /// The run that `latest` leads to.
    func latestRun(at location: SourceLocation = #_sourceLocation) -> String {
        target(of: Self.latest, at: location)
    }

    /// A report's JSON, such as `summary` or `refunds`.
    func report(
        _ name: String, in folder: String = latest, at location: SourceLocation = #_sourceLocation
    ) -> JSONDocument {
        let file = "\(folder)/\(name).json"
        return readable(file, .null, location) { try JSONDocument(read(file, at: location)) }
    }

    /// The lines of a report, in its order.
    func reported(
        _ name: String, in folder: String = latest, at location: SourceLocation = #_sourceLocation
    ) -> [Reported] {
        report(name, in: folder, at: location).items.map { line in
            Reported(line["kind"].text ?? "", of: line["user_id"].text ?? "")
        }
    }

    /// The lines of all five files about users, by the name of the file.
    func allReported(
        in folder: String = latest, at location: SourceLocation = #_sourceLocation
    ) -> [String: [Reported]] {
        let files = ["expirations", "refunds", "mismatches", "receipts", "cleared"]
        return files.reduce(into: [:]) { $0[$1] = reported($1, in: folder, at: location) }
    }

    /// The line of a finding in a report; null if there is none.
    func line(
        of finding: String, in name: String, at location: SourceLocation = #_sourceLocation
    ) -> JSONDocument {
        let lines = report(name, at: location).items
        return lines.first { $0["finding_id"].text == finding } ?? .null
    }

    /// The latest reports, of which `verify` finds that they are complete and tie out.
    @discardableResult
    func latestReports() async throws -> PublishedReports {
        try await PublishedReports(reports + "/latest")
    }
}
