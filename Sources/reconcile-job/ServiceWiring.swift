internal import Reconcile

/// From the settings of the command line to the receipt validation service, connected.
struct ServiceWiring: Sendable {
    let configuration: Configuration
    let inputs: RunInputs
    let ring: KeyRing
    let console: Console

    /// - Throws: status 78 or 77 for a file that is of no use.
    init(_ configuration: Configuration, _ console: Console) throws(Ending) {
        self.configuration = configuration
        self.console = console
        ring = try KeyFile.read(configuration.service.keyFile)
        inputs = try RunInputs(configuration)
    }

    /// Connects, lends the service to `body`, and closes all whatever comes of that.
    func lend<T: Sendable>(
        connections: Int, to body: (ReceiptService, Database) async throws -> T
    ) async throws -> T {
        let address = configuration.database?.text ?? ""
        return try await Database.lend(address, connections: connections) { database in
            try await database.schema.check()
            try await database.validations.check()
            let settings = settings
            try await setRates(settings, on: database)
            let validator = try AppStoreValidator(
                settings, secrets: inputs.secrets,
                tokens: database.rates.tokenSource(isFirst: true),
                roots: inputs.roots, now: { .now }, log: requestLog,
                observe: { [console] change in console.observe(.pace(change)) })
            let locks = Database.receiptLocks(address)
            let service = ReceiptService(
                serviceSettings, keys: ring,
                database: database.retrying(Self.retry), locks: locks,
                validator: validator, now: { .now }, warn: warn)
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

    /// Takes sentences for the log.
    var warn: @Sendable (String) -> Void {
        { [console] sentence in console.observe(.warning(sentence)) }
    }

    /// Customers wait: what fails is tried once more at most, but for transactions in each other's
    /// way, and a statement without an answer is given up.
    private static let retry = DatabaseRetry(
        giveUpAfter: .milliseconds(1), silenceLimit: .seconds(10), observe: { _ in })

    /// A request waits so long for Apple to come back, or for its turn.
    private static let patience = Duration.seconds(30)
    /// Below the read time-out of nginx.
    private static let receiptDeadline = Duration.seconds(20)

    private var serviceSettings: ReceiptService.Settings {
        var settings = ReceiptService.Settings()
        settings.validationTTL = configuration.service.validationTTL
        settings.keyTTL = configuration.service.keyTTL
        settings.grantsSandbox = configuration.service.sandbox == .grant
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
        // Each request has patience of its own; the service never gives Apple up.
        settings.outagePatience = .seconds(3_650 * 86_400)
        settings.drain = .zero
        settings.expectsForgeries = true
        return settings
    }

    /// The buckets are the run's: its pace stands while one is at work.
    private func setRates(_ settings: ValidationSettings, on database: Database) async throws {
        for (environment, rate) in [
            (StoreEnvironment.production, settings.rate), (.sandbox, settings.sandboxRate),
        ] {
            try await database.rates.set(
                rate, burst: settings.sharedBurst(rate: rate), for: environment, isPartial: true)
        }
    }

    /// Nil at any other level than debug: the lines are not even made.
    private var requestLog: (@Sendable (RequestLine) -> Void)? {
        guard configuration.logLevel == .debug else { return nil }
        return { [console] line in console.observe(.requested(line)) }
    }
}
