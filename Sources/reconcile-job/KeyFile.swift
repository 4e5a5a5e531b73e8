internal import Reconcile

enum KeyFile {
    /// - Throws: an ending with status 78, or 77 when others can read the file.
    static func read(_ path: String) throws(Ending) -> KeyRing {
        guard !path.isEmpty else {
            throw Ending(
                .configuration,
                "--download-key-file is missing: the file of keys. Create it: reconcile-job keys"
                    + " new > FILE, readable by its owner only.")
        }
        let text = try PrivateFile(flag: "download-key-file", content: "keys").read(path)
        do {
            return try KeyRing(parsing: text)
        } catch {
            throw Ending(.configuration, "--download-key-file: \(path): \(error)")
        }
    }
}
