import Foundation

@testable import TestSupport

/// Changes to a folder's entries that an operator or another program might make.
struct FolderOnDisk: Sendable {
    let path: String

    private func url(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name) }

    func makeFolder(_ name: String, mode: Int = 0o755) throws {
        try FileManager.default.createDirectory(at: url(name), withIntermediateDirectories: true)
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: url(name).path)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: url(name))
    }

    /// Replaces text in a file, which must contain it.
    func replace(_ text: String, with new: String, in name: String) throws {
        let old = try String(contentsOf: url(name), encoding: .utf8)
        guard old.contains(text) else { throw CocoaError(.fileReadCorruptFile) }
        try write(old.replacing(text, with: new), to: name)
    }

    /// Removes a line, by its number from 1.
    func removeLine(_ number: Int, of name: String) throws {
        var lines = try Data(contentsOf: url(name))
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        lines.remove(at: number - 1)
        try Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: url(name))
    }

    /// Removes the last byte.
    func shorten(_ name: String) throws {
        try Data(try Data(contentsOf: url(name)).dropLast()).write(to: url(name))
    }

    /// Adds an empty line.
    func lengthen(_ name: String) throws {
        try (Data(contentsOf: url(name)) + Data("\n".utf8)).write(to: url(name))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

    /// - Parameter other: may lead to another folder.
    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(at: url(name), to: url(other))
    }

    func copy(_ name: String, to other: String) throws {
        try FileManager.default.copyItem(at: url(name), to: url(other))
    }

    /// Makes a symbolic link, which replaces one of that name.
    func link(_ name: String, to target: String) throws {
        unlink(url(name).path)
        guard symlink(target, url(name).path) == 0 else { throw POSIXError(.EEXIST) }
    }
}

extension TemporaryFolder {
    /// The folder itself, or one in it.
    func folder(_ name: String = ".") -> FolderOnDisk { FolderOnDisk(path: path + "/" + name) }
}
