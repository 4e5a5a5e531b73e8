/// Checks Apple's servers, their clocks, and what they accept of each app: its shared secret, and
/// its key.
package struct AppleDoctor: Sendable {
    package typealias Apps = [(bundle: BundleID, count: Int)]

    private let now: @Sendable () -> Instant

    package init(now: @escaping @Sendable () -> Instant) { self.now = now }

    /// Connects to both servers of a source, with TLS for https URLs.
    /// - Parameter reach: sends one request without a secret and without a key.
    package func servers(
        of source: AnswerSource, reach: (AppleServer) async -> ServerProbe
    ) async -> [Diagnosis] {
        var lines: [Diagnosis] = []
        for server in AppleServer.allCases where server.source == source {
            let name = server.rawValue
            switch await reach(server) {
            case .silent(let why): lines.append(.problem(name, why))
            case .answered(let verdict, let words, let time, let retirement):
                lines.append(Self.reached(name, source, verdict, words))
                if let time {
                    lines.append(ClockCheck.diagnosis("\(name) clock", time, now: now()))
                }
                if let retirement { lines.append(.warning(name, retirement.sentence)) }
            }
        }
        return lines
    }

    private static func reached(
        _ name: String, _ source: AnswerSource, _ verdict: ServerProbe.Verdict, _ words: String
    ) -> Diagnosis {
        guard verdict == .unexpected else {
            let request =
                switch source {
                case .verifyReceipt: "an empty request"
                case .serverAPI: "a request without a token"
                }
            return .ok(name, "answers; \(words) for \(request)")
        }
        return .warning(
            name,
            "answers \(words), but not like \(source.name). Check that the URL is the right one.")
    }

    // MARK: Secrets

    /// - Parameters:
    ///   - apps: those of whose receipts verifyReceipt is asked, with the number of receipts.
    package static func secrets(of apps: Apps, hasSecret: (BundleID) -> Bool) -> [Diagnosis] {
        let missing = apps.filter { !hasSecret($0.bundle) }
        guard !missing.isEmpty else {
            return [.ok("shared secrets", "every app of which verifyReceipt is asked has one")]
        }
        return missing.map { bundle, count in
            .problem(
                "shared secrets",
                "\(count.grouped) receipts of \(bundle.text.debugDescription) have none, and"
                    + " without one Apple does not answer about subscriptions. Add a line to the"
                    + " file of --shared-secrets, or `*` for all apps.")
        }
    }

    /// Sends one deliberately bad receipt for each app that has a secret.
    /// - Parameter trySecret: nil for an app without one.
    package static func triedSecrets(
        of apps: Apps, trySecret: (BundleID) async -> ServerProbe?
    ) async -> [Diagnosis] {
        await tried(.secret, of: apps, by: trySecret)
    }

    // MARK: Keys

    /// A line an app.
    package static func keys(of apps: Apps, hasKey: (BundleID) -> Bool) -> [Diagnosis] {
        apps.map { bundle, count in
            let app = bundle.text.debugDescription
            guard !hasKey(bundle) else { return .ok("api keys", "\(app) has a key") }
            return .warning(
                "api keys",
                "\(app), with \(count.grouped) receipts, has none: verifyReceipt is asked about"
                    + " its receipts, and its signed transactions and transaction ids are not"
                    + " read. Add a line to the file of --api-keys, or `*` for all apps.")
        }
    }

    /// Asks about a transaction that does not exist, for each app that has a key.
    /// - Parameter tryKey: nil for an app without one.
    package static func triedKeys(
        of apps: Apps, tryKey: (BundleID) async -> ServerProbe?
    ) async -> [Diagnosis] {
        await tried(.key, of: apps, by: tryKey)
    }

    // MARK: What Apple accepts

    private enum Credential: String {
        case secret
        case key = "api key"

        var noun: String {
            switch self {
            case .secret: "shared secret"
            case .key: "API key"
            }
        }

        var remedy: String {
            switch self {
            case .secret:
                "Copy it again from App Store Connect, and check its line in the secrets file."
            case .key:
                "Check in App Store Connect that the key is an In-App Purchase key and was not"
                    + " revoked, that the issuer id and the key id in its line are the ones shown"
                    + " there, that the app belongs to this team, and check this machine's clock."
            }
        }
    }

    private static func tried(
        _ credential: Credential, of apps: Apps, by attempt: (BundleID) async -> ServerProbe?
    ) async -> [Diagnosis] {
        var lines: [Diagnosis] = []
        for bundle in apps.map(\.bundle) {
            guard let tried = await attempt(bundle) else { continue }
            let app = bundle.text.debugDescription
            let name = credential.rawValue
            switch tried {
            case .silent(let why): lines.append(.problem(name, "\(app): \(why)"))
            case .answered(.refused, let words, _, _):
                lines.append(
                    .problem(
                        name,
                        "Apple refuses the \(credential.noun) of \(app) (\(words))."
                            + " \(credential.remedy)"))
            case .answered(.expected, let words, _, _):
                lines.append(
                    .ok(name, "Apple does not refuse the \(credential.noun) of \(app) (\(words))"))
            case .answered(.unexpected, let words, _, _):
                lines.append(
                    .warning(
                        name,
                        "\(app): the server answers \(words), which says nothing about the"
                            + " \(credential.noun). Try again later."))
            }
        }
        return lines
    }
}
