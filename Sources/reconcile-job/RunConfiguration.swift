internal import Reconcile

extension ValidationSettings {
    init(_ configuration: Configuration, _ inputs: RunInputs) {
        self.init()
        comparesClocks = configuration.asOf == nil && configuration.replay == nil
        productionURL = inputs.production?.text ?? productionURL
        sandboxURL = inputs.sandbox?.text ?? sandboxURL
        apiURL = inputs.api?.base ?? apiURL
        apiSandboxURL = inputs.apiSandbox?.base ?? apiSandboxURL
        certificateFile = inputs.caFile
        rate = configuration.rate
        sandboxRate = configuration.effectiveSandboxRate
        apiRate = configuration.apiRate
        // Rounded down, so that the flag's limit is never exceeded.
        burst = Int(min(configuration.effectiveBurst, 1_000_000_000))
        timeout = configuration.timeout
        connectTimeout = configuration.connectTimeout
        maxAttempts = configuration.maxAttempts
        backoff = configuration.backoff
        receiptDeadline = configuration.receiptDeadline
        outagePatience = configuration.outagePatience
        maxConnections = configuration.inFlight
        drain = StopSignals.drain
        userAgent = "reconcile-job/\(Version.release)"
    }
}

extension JudgingSettings {
    /// - Parameter units: the days whose units are counted; nil: none.
    init(
        _ configuration: Configuration, asOf: Instant, knowsLaterFacts: Bool,
        units: UnitWindow? = nil
    ) {
        self.init(
            asOf: asOf, settle: configuration.settle, tolerance: configuration.tolerance,
            eventHorizon: configuration.eventHorizon,
            knowsLaterFacts: knowsLaterFacts, units: units)
    }
}

extension Guards {
    /// - Parameter inputs: nil: no secret is missed.
    init(_ configuration: Configuration, _ inputs: RunInputs?) {
        self.init(configuration.guardSettings) { bundle in
            guard let inputs else { return false }
            let isAsked = configuration.source.asksVerifyReceipt(of: bundle, inputs.apiKeys.apps)
            return isAsked && inputs.secrets.secret(for: bundle) == nil
        }
    }
}

extension Configuration {
    fileprivate var guardSettings: GuardSettings { isGuarded ? guards : .off }

    /// The settings that change a run's findings, as JSON. Workers of one run may use different
    /// `servers`, but a process that resumes an unfinished run may not change them.
    /// `max_unverified`, `guards` and `csv_dialect` affect only how a run ends and may always
    /// differ; a resumed or joined run keeps the guards with which it began. `offline`, `roots`,
    /// `csv_dialect`, `source`, `api_apps` and `refund_sweep` are left out unless they are set.
    /// - Parameter apps: that have an API key.
    func outcomeSettings(_ apps: APIApps) -> String {
        let milliseconds = [
            ("event_horizon_ms", eventHorizon), ("settle_ms", settle), ("tolerance_ms", tolerance),
        ].map { name, duration in "\"\(name)\": \(duration.inMilliseconds)" }
        let urls = [productionURL, sandboxURL] + (apps.isEmpty ? [] : [apiURL, apiSandboxURL])
        let servers = urls.map(\.jsonQuoted).joined(separator: ", ")
        let api =
            apps.isEmpty
            ? ""
            : ", \"source\": \"\(source.rawValue)\", \"api_apps\": \(apps.text.jsonQuoted)"
                + (sweepsRefunds && scope.isEverything ? ", \"refund_sweep\": true" : "")
        let trust = roots.map { ", \"roots\": \($0.jsonQuoted)" } ?? ""
        let dialect = csvDialect == .plain ? "" : ", \"csv_dialect\": \"\(csvDialect.rawValue)\""
        return "{" + milliseconds.joined(separator: ", ") + (isOffline ? ", \"offline\": true" : "")
            + trust + dialect + api + ", \"servers\": [\(isOffline ? "" : servers)]"
            + ", \"max_unverified\": \"\(maxUnverified)\""
            + ", \"guards\": \"\(guardSettings.text)\"}"
    }

    /// Whether the run that is resumed or joined began with other guards than this process has.
    func hasOtherGuards(than shared: OpenedRun.SharedSettings?) -> Bool {
        shared?.guards.map { $0 != guardSettings.text } ?? false
    }

    /// The settings of the run that is resumed or joined, where no flag overrides them. A run's
    /// first worker decides which answers are kept, and only it applies --max-runtime.
    func adopting(_ shared: OpenedRun.SharedSettings?, isJoined: Bool) -> Configuration {
        guard let shared else { return self }
        var adopted = self
        adopted.evidence = shared.evidence ?? evidence
        guard isJoined else { return adopted }
        adopted.maxRuntime = nil
        if !given.contains("rate") { adopted.rate = shared.rate ?? rate }
        if !given.contains("sandbox-rate") {
            adopted.sandboxRate = shared.sandboxRate ?? sandboxRate
        }
        if !given.contains("api-rate") { adopted.apiRate = shared.apiRate ?? apiRate }
        if let text = shared.maxUnverified {
            adopted.maxUnverified = (try? FlagValue.allowance(text)) ?? maxUnverified
        }
        return adopted
    }

    /// The earlier run's settings, where no flag or variable overrides them.
    func inheriting(_ former: OpenedRun.Replayed?) -> Configuration {
        guard let former else { return self }
        var heir = self
        if !given.contains("settle") { heir.settle = former.settle ?? settle }
        if !given.contains("tolerance") { heir.tolerance = former.tolerance ?? tolerance }
        if !given.contains("event-horizon") {
            heir.eventHorizon = former.eventHorizon ?? eventHorizon
        }
        if !given.contains("source") { heir.source = former.source }
        if !given.contains("max-unverified"), let text = former.maxUnverified {
            heir.maxUnverified = (try? FlagValue.allowance(text)) ?? maxUnverified
        }
        return heir
    }
}
