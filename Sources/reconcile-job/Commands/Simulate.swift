internal import AppStoreSimulator
internal import Reconcile

/// `reconcile-job simulate`: simulates Apple's servers until a signal stops it.
struct SimulateCommand: Sendable {
    private let settings: SimulationSettings
    private let store: SimulatedStore

    init(_ configuration: Configuration) {
        settings = configuration.simulation
        let firstNight = configuration.asOf ?? .now
        store = SimulatedStore(
            seed: UInt64(settings.seed), customers: settings.customers,
            firstNight: Moment(milliseconds: firstNight.milliseconds), night: settings.night)
    }

    /// Serves until the task is cancelled. Prints the URLs once it listens.
    func run(_ signals: StopSignals) async throws -> Ending {
        // Listens first: nothing is loaded when a port is taken.
        let simulator = try AppStoreSimulator.start(store, try simulatorSettings())
        defer { simulator.stop() }
        try ThrowAwayFiles(settings, of: store).write()
        if let address = settings.load { try await load(into: address) }
        try StandardStream.print(
            "production=\(simulator.productionURL) sandbox=\(simulator.sandboxURL)"
                + " api=\(simulator.apiURL) api_sandbox=\(simulator.apiSandboxURL)\n")
        // Nothing is ever sent through this stream; it ends when the task is cancelled.
        let (silence, _) = AsyncStream<Never>.makeStream()
        for await _ in silence {}
        let message = "\(simulator.requests) requests were answered."
        return signals.ending(message) ?? Ending(.complete, message)
    }

    private func simulatorSettings() throws -> AppStoreSimulator.Settings {
        var settings = AppStoreSimulator.Settings()
        settings.port = self.settings.port
        settings.sandboxPort = self.settings.sandboxPort
        settings.apiPort = self.settings.apiPort
        settings.apiSandboxPort = self.settings.apiSandboxPort
        settings.latency = self.settings.latency
        if let faults = self.settings.faults { settings.faults = try FaultPlan(parsing: faults) }
        return settings
    }

    private func load(into address: DatabaseAddress) async throws {
        do {
            try await Database.lend(address.text, connections: 1) { database in
                try await database.referenceApp.fill(
                    SimulatedCatalog.catalog, assets: SimulatedCatalog.assets
                ) { part in
                    await ReferencePart(store: store, stored: settings.stored, number: part).rows()
                }
            }
        } catch let error as DatabaseError {
            throw Self.ending(error)
        }
    }

    private static func ending(_ error: DatabaseError) -> Ending {
        let ending = Ending(error)
        let remedy: String
        switch error.reason {
        case .notMigrated:
            remedy = "Schema app is missing. Run reconcile-job migrate --with-reference-app."
        case .accessDenied(let why):
            return Ending(
                ending.exit,
                "--load: the database refuses access: \(why). Connect as the owner of schema app.")
        case .unreachable, .noDatabase: remedy = "Check the address given to --load."
        case .sourceData(let problems):
            // Three problems are enough to recognize the schema.
            let some = problems.prefix(3).joined(separator: " ")
            return Ending(
                ending.exit,
                "--load: schema app is not the reference service, and --load would empty it. "
                    + "\(some) Nothing was changed. Use a separate database, where "
                    + "reconcile-job migrate --with-reference-app has created schema app.")
        default: return ending
        }
        return Ending(ending.exit, "--load: \(remedy) \(error.description)")
    }
}

/// The rows of a chunk of customers: as many as are in memory at once.
private struct ReferencePart {
    static let customers = 1_000
    static let slices = 8

    let store: SimulatedStore
    let stored: StoredForm
    let number: Int

    /// Nil after the last customer.
    func rows() async -> ReferenceRows? {
        let first = number * Self.customers
        guard first < store.customers else { return nil }
        let numbers = first..<min(first + Self.customers, store.customers)
        return ReferenceRows(
            receipts: await receipts(of: numbers),
            entitlements: numbers.flatMap { number in
                store.entitlements(of: number).map(StoredEntitlement.init)
            },
            downloadKeys: numbers.flatMap { number in
                store.downloadKeys(of: number).map { ($0.asset.id, StoredDownloadKey($0)) }
            })
    }

    private func receipts(of numbers: Range<Int>) async -> [StoredReceipt] {
        let size = (numbers.count + Self.slices - 1) / Self.slices
        return await withTaskGroup(of: [SimulatedReceipt].self) { group in
            for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: size) {
                let slice = start..<min(start + size, numbers.upperBound)
                group.addTask { store.receipts(of: slice, as: stored) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }.map(StoredReceipt.init)
    }
}
