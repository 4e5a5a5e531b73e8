internal import Reconcile

enum SecretsFile {
    /// - Throws: an ending with status 78, or 77 when others can read the file.
    static func read(_ path: String) throws(Ending) -> SharedSecrets {
        let text = try PrivateFile(flag: "shared-secrets", content: "secrets").read(path)
        do {
            return try SharedSecrets(parsing: text)
        } catch {
            throw Ending(.configuration, "--shared-secrets: \(path): \(error)")
        }
    }
}
