internal import Glibc
internal import Reconcile

/// The files and URLs that the settings name, checked.
struct RunInputs: Sendable {
    /// Apple's two servers; nil offline, where nothing is sent.
    let production: EndpointURL?
    let sandbox: EndpointURL?
    let secrets: SharedSecrets
    /// A readable file; nil for the system's certificate authorities.
    let caFile: String?
    /// Root certificates under which receipts are genuine.
    let roots: TrustedRoots

    /// - Throws: an ending with status 78, or 77 when others can read the secrets.
    init(_ configuration: Configuration) throws(Ending) {
        if let folder = configuration.roots {
            roots = try RootsFolder.read(folder)
        } else {
            roots = .apple
        }
        guard !configuration.isOffline else {
            production = nil
            sandbox = nil
            secrets = .none
            caFile = nil
            return
        }
        production = try Self.url(configuration.productionURL, "production-url")
        sandbox = try Self.url(configuration.sandboxURL, "sandbox-url")
        caFile = configuration.caFile
        if let caFile { try Self.requireReadable(caFile) }
        if let path = configuration.sharedSecrets {
            secrets = try SecretsFile.read(path)
        } else {
            secrets = .none
        }
    }

    /// The message does not show an invalid URL, because it may contain a password.
    private static func url(_ text: String, _ flag: String) throws(Ending) -> EndpointURL {
        do {
            return try EndpointURL(text)
        } catch {
            throw Ending(.configuration, "--\(flag): the value \(error.reason)")
        }
    }

    private static func requireReadable(_ path: String) throws(Ending) {
        var status = stat()
        guard access(path, R_OK) == 0, stat(path, &status) == 0 else {
            throw Ending(
                .configuration,
                "--ca-file: cannot read \(path): \(String(cString: strerror(errno))). "
                    + "Check the path and its permissions.")
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            throw Ending(
                .configuration,
                "--ca-file: \(path) is not a file of certificates. Give a PEM file.")
        }
        let beginning = InputFile.beginning(of: path, 1 << 20)
        guard beginning.firstRange(of: Array("-----BEGIN ".utf8)) != nil else {
            throw Ending(
                .configuration,
                "--ca-file: \(path) holds no certificate. Give a PEM file: one with a line "
                    + "-----BEGIN CERTIFICATE-----.")
        }
    }
}

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
