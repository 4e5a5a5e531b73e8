/// Who signed a folder, and whether its bytes still are those that were signed.
package struct FolderSignatures: Sendable {
    /// Nil without a `SIGNOFF.json`, and for one that cannot be read.
    package let file: SignOffFile?
    package let failure: String?
    package let remarks: [String]

    /// Of a folder that nobody signed.
    init() { self.init(nil, nil, []) }

    /// - Parameters:
    ///   - manifest: the digest of the folder's manifest.
    ///   - former: those of the folder before users were erased from it.
    init(in folder: OpenFolder?, manifest: String, former: [String] = []) {
        guard let folder, folder.contains(SignOffFile.fileName) else {
            self.init()
            return
        }
        guard
            let file = folder.contents(of: SignOffFile.fileName, atMost: Self.mostBytes)
                .flatMap({ SignOffFile($0) })
        else {
            self.init(nil, "\(SignOffFile.fileName): is not what sign-off writes.", [])
            return
        }
        let current = file.signatures.filter { $0.manifestSHA256 == manifest }
        let erased = file.signatures.filter { former.contains($0.manifestSHA256) }
        let others = file.signatures.filter { !current.contains($0) && !erased.contains($0) }
        var remarks: [String] = []
        if !others.isEmpty {
            let what =
                former.isEmpty
                ? "which have changed since," : "from before users were erased or they changed,"
            remarks.append("Other bytes, \(what) were signed by \(Self.list(others)).")
        }
        if !erased.isEmpty {
            remarks.append("Before users were erased it was signed by \(Self.list(erased)).")
        }
        if !current.isEmpty {
            remarks.append("This manifest was signed by \(Self.list(current)).")
        }
        // Of many erasures the folder names the first and the last state only.
        let isUnsigned = current.isEmpty && former.isEmpty
        self.init(
            file,
            isUnsigned
                ? "\(SignOffFile.fileName): nobody signed this manifest.json: the bytes have"
                    + " changed since they were signed." : nil,
            remarks)
    }

    private init(_ file: SignOffFile?, _ failure: String?, _ remarks: [String]) {
        self.file = file
        self.failure = failure
        self.remarks = remarks
    }

    /// The name of the folder as it was signed; nil without a file.
    package var name: String? { file?.folder.name }

    /// How the file differs from what the database recorded; nil when it does not. A copy lacks
    /// what was signed after it was made.
    /// - Parameter recorded: every line of the folder.
    package func difference(from recorded: [SignOff]) -> String? {
        guard let file, !file.signatures.allSatisfy(recorded.contains) else { return nil }
        return "\(SignOffFile.fileName): differs from what is recorded in the database."
    }

    /// Signatures in the database that are not beside the manifest.
    package func missing(of recorded: [SignOff]) -> String? {
        guard failure == nil else { return nil }
        if let file {
            let others = recorded.filter { !file.signatures.contains($0) }
            guard !others.isEmpty else { return nil }
            return "By the database \(SignOffFile.fileName) is not all: it was also signed by"
                + " \(Self.list(others))."
        }
        guard !recorded.isEmpty else { return nil }
        return "By the database it was signed, but it has no \(SignOffFile.fileName):"
            + " \(Self.list(recorded))."
    }

    /// Of a folder that is not compared with the database.
    package var reservation: String? {
        file == nil
            ? nil
            : "Who signed is what \(SignOffFile.fileName) says: --database compares it with the"
                + " recorded signatures."
    }

    private static func list(_ signatures: [SignOff]) -> String {
        signatures.map(\.sentence).joined(separator: ", and by ")
    }

    private static let mostBytes = 1 << 20
}
