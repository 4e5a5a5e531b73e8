internal import Glibc

/// `SIGNOFF.json`, beside the manifest of a folder that was signed: every line that the database
/// has of the folder, in the order of signing. The manifest and `SHA256SUMS` do not list it.
package struct SignOffFile: Equatable, Sendable {
    package static let fileName = "SIGNOFF.json"

    let folder: SignedFolder
    package let signatures: [SignOff]

    /// Nil without a signature.
    package init?(_ signatures: [SignOff]) {
        guard let last = signatures.last else { return nil }
        folder = last.folder
        self.signatures = signatures
    }

    /// Nil for a file that is no such document, byte for byte.
    init?(_ bytes: [UInt8]) {
        guard let read = try? JSONNode(bytes), let name = read["name"]?.string,
            let kind = read["folder"]?.string.flatMap(SignedFolder.Kind.init(rawValue:)),
            let lines = read["signatures"]?.elements
        else { return nil }
        let folder = SignedFolder(kind, named: name)
        let signatures = lines.compactMap { SignOff($0, of: folder) }
        self.init(signatures)
        guard json == bytes else { return nil }
    }

    package var json: [UInt8] {
        PrintedJSON.object([
            ("folder", .string(folder.kind.rawValue)), ("name", .string(folder.name)),
            ("manifest_sha256", PrintedJSON(signatures.last?.manifestSHA256)),
            ("signatures", .array(signatures.map(\.printed))),
        ]).bytes
    }
}

extension SignOff {
    fileprivate init?(_ line: JSONNode, of folder: SignedFolder) {
        guard let role = line["as"]?.string.flatMap(Role.init(rawValue:)),
            let by = line["by"]?.string, let note = line["note"]?.string,
            let at = line["at"]?.string.flatMap({ Instant(rfc3339: $0) }),
            let digest = line["manifest_sha256"]?.string
        else { return nil }
        self.init(folder, manifestSHA256: digest, as: role, by: by, note: note, at: at)
    }

    var printed: PrintedJSON {
        .object([
            ("as", .string(role.rawValue)), ("by", .string(by)), ("note", .string(note)),
            ("at", .string(at.description)), ("manifest_sha256", .string(manifestSHA256)),
        ])
    }
}

// MARK: Writing

extension SignOffFile {
    /// Writes the file by an atomic rename, in place of an earlier one.
    /// - Parameter folder: its name in `reports`.
    package func publish(
        in reports: ReportsDirectory, folder name: String
    ) throws(ReportError) {
        try reports.locked { () throws(ReportError) in
            let folder = try OpenFolder(name, in: reports.folder)
            let temporary = ReportsDirectory.stagingName(for: Self.fileName)
            let file = try ReportFile(named: temporary, in: reports.folder, for: folder)
            do throws(ReportError) {
                try file.write { $0.append(contentsOf: json) }
                _ = try file.finish(rows: nil)
                guard
                    renameat(
                        reports.folder.descriptor, temporary, folder.descriptor, Self.fileName)
                        == 0
                else { throw .making(folder.path + "/" + Self.fileName, errno) }
            } catch {
                unlinkat(reports.folder.descriptor, temporary, 0)
                throw error
            }
            try folder.sync()
        }
    }
}
