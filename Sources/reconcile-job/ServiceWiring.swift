internal import Reconcile

/// Builds the receipt validation service from the command line's settings and connects it.
struct ServiceWiring: Sendable {
    let configuration: Configuration
    let inputs: RunInputs
    let ring: KeyRing
    let console: Console
    let notices: ServiceNotices

    /// - Throws: an ending with status 78 or 77 for a file that cannot be used.
    init(_ configuration: Configuration, _ console: Console) throws(Ending) {
        self.configuration = configuration
        self.console = console
        notices = ServiceNotices { console.observe(.warning($0)) }
        ring = try KeyFile.read(configuration.service.keyFile)
        inputs = try RunInputs(configuration)
    }

    /// Closes all connections after `body`, also on errors.
    /// - Parameter retry: how long the start waits for the database; nil: not at all.
    func lend<T: Sendable>(
        connections: Int, retry: DatabaseRetry? = nil, trustingUserIDs: Bool,
        to body: (ReceiptService, Database) async throws -> T
    ) async throws -> T {
        let address = configuration.database?.text ?? ""
        return try await Database.lend(address, connections: connections, retry: retry) {
            database in
            try await database.schema.check()
            try await database.validations.check()
            try await database.privileges.requireWritable()
            warnAboutRoots()
            let settings = settings
            try await setRates(settings, on: database)
            defer { notices.finish() }
            let premium = PremiumApps()
            let wiring = try SourceWiring(
                inputs, settings, choice: configuration.source, premium: premium,
                observe: { [console] change in console.observe(.pace(change)) })
            let asking = wiring.asking(
                try wiring.live(), tokens: database.rates.tokenSource(isFirst: true),
                log: requestLog)
            let locks = Database.receiptLocks(address)
            var serviceSettings = serviceSettings
            serviceSettings.trustsUserID = trustingUserIDs
            serviceSettings.rate = min(settings.rate, settings.sandboxRate)
            let service = ReceiptService(
                serviceSettings, keys: ring,
                database: database.with(retry: Self.retry), locks: locks,
                asking: asking, signed: wiring.signedPurchases, premium: premium,
                now: { .now }, notices: notices)
            do {
                let value = try await body(service, database)
                await locks.close()
                return value
            } catch {
                await locks.close()
                throw error
            }
        }
    }

    /// Customers are waiting: a failed statement is retried at most once, except on serialization
    /// conflicts and deadlocks, and a connection without a response for 10 s counts as lost.
    private static let retry = DatabaseRetry(
        giveUpAfter: .milliseconds(1), silenceLimit: .seconds(10), observe: { _ in })

    /// How long one request waits for an outage to end or for a token, without --outage-patience.
    private static let patience = Duration.seconds(30)
    /// Less than the read time-out of nginx.
    private static let receiptDeadline = Duration.seconds(20)

    private var serviceSettings: ReceiptService.Settings {
        var settings = ReceiptService.Settings()
        settings.validationTTL = configuration.service.validationTTL
        settings.keyTTL = configuration.service.keyTTL
        settings.grantsSandbox = configuration.service.sandbox == .grant
        settings.asksUnsigned = configuration.service.asksUnsigned
        settings.patience =
            configuration.given.contains("outage-patience")
            ? configuration.outagePatience : Self.patience
        return settings
    }

    private var settings: ValidationSettings {
        var settings = ValidationSettings(configuration, inputs)
        if !configuration.given.contains("receipt-deadline") {
            settings.receiptDeadline = Self.receiptDeadline
        }
        // Here --outage-patience limits the wait of each request (`serviceSettings`). The
        // own limit of `Asking`, after which it gives up Apple for good, must not be reached.
        settings.outagePatience = .seconds(3_650 * 86_400)
        settings.asker = .requests
        settings.drain = .zero
        return settings
    }

    private func warnAboutRoots() {
        guard let folder = configuration.roots else { return }
        let message =
            "Receipts signed under the certificates in \(folder) count as Apple's, and Apple's own"
            + " do not. Leave --roots out and RECONCILE_ROOTS unset except in tests."
        console.observe(.warning(message))
    }

    /// The service shares the run's token buckets: while a run is active, the run's rate applies.
    private func setRates(_ settings: ValidationSettings, on database: Database) async throws {
        for server in AppleServer.allCases {
            let rate = settings.rate(of: server)
            try await database.rates.set(
                rate, burst: settings.sharedBurst(of: server), for: server, isPartial: true)
        }
    }

    /// Nil unless the log level is debug, so that request lines are not even formatted.
    private var requestLog: (@Sendable (RequestLine) -> Void)? {
        guard configuration.logLevel == .debug else { return nil }
        return { [console] line in console.observe(.requested(line)) }
    }
}
