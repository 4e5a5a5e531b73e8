/// Checks Apple's two servers, their clocks, and the shared secrets.
package struct AppleDoctor: Sendable {
    let probe: AppleProbe
    let production: String
    let sandbox: String
    let now: @Sendable () -> Instant

    package init(
        _ probe: AppleProbe, production: String, sandbox: String,
        now: @escaping @Sendable () -> Instant
    ) {
        self.probe = probe
        self.production = production
        self.sandbox = sandbox
        self.now = now
    }

    /// Connects to both servers, with TLS for https URLs.
    package func servers() async -> [Diagnosis] {
        var lines: [Diagnosis] = []
        for (name, url) in [("production", production), ("sandbox", sandbox)] {
            switch await probe.reach(url) {
            case .silent(let why): lines.append(.problem(name, why))
            case .answered(let http, let status, let time, let retirement):
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
        _ secrets: SharedSecrets, of bundles: [(bundle: BundleID, count: Int)]
    ) -> [Diagnosis] {
        let missing = bundles.filter { secrets.secret(for: $0.bundle) == nil }
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
    package func probe(
        _ secrets: SharedSecrets, of bundles: [(bundle: BundleID, count: Int)]
    ) async -> [Diagnosis] {
        var lines: [Diagnosis] = []
        for bundle in bundles.map(\.bundle) {
            guard let secret = secrets.secret(for: bundle) else { continue }
            let app = bundle.text.debugDescription
            switch await probe.probe(secret, at: production) {
            case .silent(let why): lines.append(.problem("secret", "\(app): \(why)"))
            case .answered(_, 21004?, _, _):
                lines.append(
                    .problem(
                        "secret",
                        "Apple refuses the shared secret of \(app) (21004). Copy it again from App"
                            + " Store Connect, and check its line in the secrets file."))
            case .answered(_, let status?, _, _):
                lines.append(
                    .ok(
                        "secret",
                        "Apple does not refuse the shared secret of \(app) (status \(status))"))
            case .answered(let http, nil, _, _):
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
