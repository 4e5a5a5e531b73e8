internal import Glibc
internal import Reconcile

/// The files and URLs that the settings name, checked.
struct RunInputs: Sendable {
    /// Apple's two servers; nil offline, where nothing is sent.
    let production: EndpointURL?
    let sandbox: EndpointURL?
    /// Those of the App Store Server API; nil where nothing is sent to it.
    let api: EndpointURL?
    let apiSandbox: EndpointURL?
    let secrets: SharedSecrets
    let apiKeys: APIKeys
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
            api = nil
            apiSandbox = nil
            secrets = .none
            apiKeys = .none
            caFile = nil
            return
        }
        production = try Self.url(configuration.productionURL, "production-url")
        sandbox = try Self.url(configuration.sandboxURL, "sandbox-url")
        caFile = configuration.caFile
        if let caFile { try Self.requireReadable(caFile) }
        secrets = try configuration.sharedSecrets.map(SecretsFile.read) ?? .none
        api = try Self.url(configuration.apiURL, "api-url")
        apiSandbox = try Self.url(configuration.apiSandboxURL, "api-sandbox-url")
        apiKeys = try configuration.apiKeys.map(APIKeysFile.read) ?? .none
        guard !configuration.sweepsRefunds || !apiKeys.apps.named.isEmpty else {
            throw Ending(
                .configuration,
                "--refund-sweep: no app has a line of its own in --api-keys, so there is nothing to"
                    + " sweep: `*` does not say which apps there are. Add a line for each app.")
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

enum APIKeysFile {
    /// - Throws: an ending with status 78, or 77 when others can read the file or a key.
    static func read(_ path: String) throws(Ending) -> APIKeys {
        let text = try PrivateFile(flag: "api-keys", content: "keys").read(path)
        do {
            return try APIKeys(parsing: text) { name, line in
                try key(in: name.first == "/" ? name : folder(of: path) + name, line, of: path)
            }
        } catch let ending as Ending {
            throw ending
        } catch {
            throw Ending(.configuration, "--api-keys: \(path): \(error)")
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    private static func key(
        in file: String, _ line: Int, of path: String
    ) throws(Ending) -> PrivateKey {
        let text = try PrivateFile(flag: "api-keys: \(path), line \(line)", content: "key")
            .read(file)
        guard let key = PrivateKey(pem: text) else {
            throw Ending(
                .configuration,
                "--api-keys: \(path), line \(line): \(file) is no key of the App Store Server API."
                    + " Give the .p8 file as App Store Connect gave it: PKCS#8 in PEM, on P-256.")
        }
        return key
    }
}
