/// Checks Apple's two servers, their clocks, and the shared secrets.
package struct AppleDoctor: Sendable {
    private let reach: @Sendable (AppleServer) async -> ServerProbe
    private let now: @Sendable () -> Instant

    /// - Parameter reach: sends one request without a receipt and without a secret.
    package init(
        now: @escaping @Sendable () -> Instant,
        reach: @escaping @Sendable (AppleServer) async -> ServerProbe
    ) {
        self.reach = reach
        self.now = now
    }

    /// Connects to both servers, with TLS for https URLs.
    package func servers() async -> [Diagnosis] {
        var lines: [Diagnosis] = []
        for server in AppleServer.allCases {
            let name = server.rawValue
            switch await reach(server) {
            case .silent(let why): lines.append(.problem(name, why))
            case .answered(let http, let status, _, let time, let retirement):
                lines.append(reached(name, http, status))
                if let time {
                    lines.append(ClockCheck.diagnosis("\(name) clock", time, now: now()))
                }
                if let retirement { lines.append(.warning(name, retirement.sentence)) }
            }
        }
        return lines
    }

    private func reached(_ name: String, _ http: Int, _ status: Int?) -> Diagnosis {
        if let status { return .ok(name, "answers; status \(status) for an empty request") }
        return .warning(
            name,
            "answers HTTP \(http), but not like verifyReceipt. Check that the URL is the right"
                + " one.")
    }

    package static func secrets(
        of bundles: [(bundle: BundleID, count: Int)], hasSecret: (BundleID) -> Bool
    ) -> [Diagnosis] {
        let missing = bundles.filter { !hasSecret($0.bundle) }
        guard !missing.isEmpty else {
            return [.ok("shared secrets", "every app with receipts has one")]
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
        of bundles: [(bundle: BundleID, count: Int)],
        trySecret: (BundleID) async -> ServerProbe?
    ) async -> [Diagnosis] {
        var lines: [Diagnosis] = []
        for bundle in bundles.map(\.bundle) {
            guard let tried = await trySecret(bundle) else { continue }
            let app = bundle.text.debugDescription
            switch tried {
            case .silent(let why): lines.append(.problem("secret", "\(app): \(why)"))
            case .answered(_, let status?, refuses: true, _, _):
                lines.append(
                    .problem(
                        "secret",
                        "Apple refuses the shared secret of \(app) (\(status)). Copy it again from"
                            + " App Store Connect, and check its line in the secrets file."))
            case .answered(_, let status?, _, _, _):
                lines.append(
                    .ok(
                        "secret",
                        "Apple does not refuse the shared secret of \(app) (status \(status))"))
            case .answered(let http, nil, _, _, _):
                lines.append(
                    .warning(
                        "secret",
                        "\(app): the server answers HTTP \(http) without a status, so the"
                            + " secret could not be checked. Try again later."))
            }
        }
        return lines
    }
}
