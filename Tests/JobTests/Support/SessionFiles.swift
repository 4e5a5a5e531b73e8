import Foundation
import Testing

@testable import TestSupport

/// Files, by paths from the session's folder.
extension Session {
    func path(_ name: String) -> String {
        name.hasPrefix("/") ? name : folder.path + "/" + name
    }

    func read(_ name: String) throws -> String { try folder.read(name) }

    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        try folder.write(text, to: name, mode: mode)
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The names in a folder, sorted, without those that begin with a dot.
    func list(_ name: String) throws -> [String] {
        try everything(in: name).filter { !$0.hasPrefix(".") }
    }

    func everything(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }

    /// The files below a folder by their paths from it, each with its bytes.
    func contents(of name: String) throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: path(name))
        return try names.reduce(into: [:]) { contents, file in
            var isFolder: ObjCBool = false
            let whole = path(name + "/" + file)
            guard FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder),
                !isFolder.boolValue
            else { return }
            contents[file] = try Data(contentsOf: URL(fileURLWithPath: whole))
        }
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

    /// Where a symbolic link leads to.
    func target(of name: String) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: path(name))
    }

    func mode(of name: String) throws -> Int { try folder.mode(of: name) }

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
    var published: [String] { (try? list("reports")) ?? [] }

    /// The run that `latest` leads to.
    func latestRun() throws -> String { try target(of: Self.latest) }

    /// A report's JSON, such as `summary` or `refunds`.
    func report(_ name: String, in folder: String = latest) throws -> JSONDocument {
        try JSONDocument(read("\(folder)/\(name).json"))
    }

    /// The lines of a report, in its order.
    func reported(_ name: String, in folder: String = latest) throws -> [Reported] {
        try report(name, in: folder).items.map { line in
            Reported(line["kind"].text ?? "", of: line["user_id"].text ?? "")
        }
    }

    /// The line of a finding in a report.
    func line(of finding: String, in name: String, of folder: String = latest) throws
        -> JSONDocument
    {
        let lines = try report(name, in: folder).items.filter { $0["finding_id"].text == finding }
        return try #require(lines.first)
    }

    @discardableResult
    func latestReports() async throws -> PublishedReports {
        try await PublishedReports(reports + "/latest")
    }
}

extension Session {
    /// The lines of all five files about users, by the name of the file.
    func allReported(in folder: String = latest) throws -> [String: [Reported]] {
        let files = ["expirations", "refunds", "mismatches", "receipts", "cleared"]
        return try files.reduce(into: [:]) { $0[$1] = try reported($1, in: folder) }
    }
}
