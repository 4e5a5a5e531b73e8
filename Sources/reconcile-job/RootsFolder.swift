internal import Glibc
internal import Reconcile

/// The certificates in the folder of `--roots`.
enum RootsFolder {
    private static let mostBytes = 1 << 20

    /// - Throws: an ending with status 78.
    static func read(_ path: String) throws(Ending) -> TrustedRoots {
        var certificates: [[UInt8]] = []
        for name in try names(in: path) {
            let file = path + "/" + name
            let bytes: [UInt8]
            do throws(Ending) {
                bytes = try InputFile.read(file, limit: mostBytes, describedAs: "certificate")
            } catch {
                throw Ending(.configuration, "--roots: " + error.message)
            }
            guard let found = TrustedRoots.certificates(inFile: bytes) else {
                throw Ending(
                    .configuration,
                    "--roots: \(file) holds no readable certificate. Keep only"
                        + " certificates there, in PEM or DER.")
            }
            certificates += found
        }
        guard !certificates.isEmpty else {
            throw Ending(
                .configuration,
                "--roots: \(path) is empty. Put the trusted certificates there, in PEM or DER.")
        }
        return TrustedRoots(certificates)
    }

    /// Sorted; hidden files are skipped.
    private static func names(in path: String) throws(Ending) -> [String] {
        guard let folder = opendir(path) else {
            throw Ending(
                .configuration,
                "--roots: cannot read \(path): \(InputFile.words(of: errno)). Give a folder of"
                    + " certificates.")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
