/// Checks Apple's side of a set-up: the two servers, their clock, and the shared secrets.
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

    /// Connects to both, with TLS where the URL says so.
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
        if let status { return .ok(name, "answers, with status \(status) to an empty question") }
        return .warning(
            name,
            "answers HTTP \(http), and not as verifyReceipt does. See that the URL is the right"
                + " one.")
    }

    /// Which of the apps that have receipts have a shared secret.
    package static func secrets(
        _ secrets: SharedSecrets, of bundles: [(bundle: BundleID, count: Int)]
    ) -> [Diagnosis] {
        let missing = bundles.filter { secrets.secret(for: $0.bundle) == nil }
        guard !missing.isEmpty else {
            return [.ok("shared secrets", "every app that has receipts has one")]
        }
        return missing.map { bundle, count in
            .problem(
                "shared secrets",
                "\(count.grouped) receipts of \(bundle.text.debugDescription) have none, and Apple"
                    + " answers nothing about subscriptions without. Add a line to the file of"
                    + " --shared-secrets, or `*` for all apps.")
        }
    }

    /// Asks Apple about one deliberately bad receipt for each app.
    package func tryOut(
        _ secrets: SharedSecrets, of bundles: [(bundle: BundleID, count: Int)]
    ) async -> [Diagnosis] {
        var lines: [Diagnosis] = []
        for bundle in bundles.map(\.bundle) {
            guard let secret = secrets.secret(for: bundle) else { continue }
            let app = bundle.text.debugDescription
            switch await probe.tryOut(secret, at: production) {
            case .silent(let why): lines.append(.problem("secret", "\(app): \(why)"))
            case .answered(_, 21004?, _, _):
                lines.append(
                    .problem(
                        "secret",
                        "Apple refuses the shared secret of \(app) (21004). Copy it again from App"
                            + " Store Connect, and see whose line it stands in."))
            case .answered(_, let status?, _, _):
                lines.append(
                    .ok(
                        "secret",
                        "Apple does not refuse the shared secret of \(app) (status \(status))"))
            case .answered(let http, nil, _, _):
                lines.append(
                    .warning(
                        "secret",
                        "\(app): the server answers HTTP \(http) without a status, so that the"
                            + " secret could not be tried. Try again later."))
            }
        }
        return lines
    }
}
