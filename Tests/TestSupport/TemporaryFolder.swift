import Foundation

/// An empty folder that is removed with its owner.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "reconcile-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: path + "/" + name, encoding: .utf8)
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }

    func mode(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
        return attributes[.posixPermissions] as? Int ?? -1
    }
}

/// A file of a published folder as text; of a workbook the text of all its parts.
func publishedText(_ path: String) throws -> String {
    guard path.hasSuffix(".xlsx") else { return try String(contentsOfFile: path, encoding: .utf8) }
    // It compares the lengths and CRC-32 of all parts.
    let unzip = try ChildProcess("/usr/bin/unzip", ["-p", path])
    let bytes = try unzip.output.readToEnd() ?? Data()
    let text = String(decoding: bytes, as: UTF8.self)
    // The parts follow each other; styles.xml is the last one.
    guard unzip.wait() == 0, text.contains("<worksheet"), text.hasSuffix("</styleSheet>")
    else { throw CocoaError(.fileReadCorruptFile) }
    return text
}
