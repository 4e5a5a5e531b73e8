@testable import AppStoreSimulator

func serving<Result>(
    faults: String = "0", latency: Duration = .zero, customers: Int = 1_000,
    _ body: (AppStoreSimulator, SimulatedStore) throws -> Result
) throws -> Result {
    let store = SimulatedStore.demo(customers: customers)
    var settings = AppStoreSimulator.Settings()
    settings.faults = try FaultPlan(parsing: faults)
    settings.latency = latency
    let simulator = try AppStoreSimulator.start(store, settings)
    defer { simulator.stop() }
    return try body(simulator, store)
}
