internal import Synchronization

/// Simulates Apple's two verifyReceipt servers on loopback, with generated customers.
package final class AppStoreSimulator: Sendable {
    package struct Settings: Sendable {
        /// Port of the production server; 0: any free port.
        package var port: UInt16 = 0
        /// Port of the sandbox server; 0: any free port.
        package var sandboxPort: UInt16 = 0
        /// How long an answer takes, plus or minus half.
        package var latency: Duration = .zero
        package var faults = FaultPlan.none
        /// Called for every POST. Its steps replace the normal reply and its faults. Runs on a
        /// thread that serves other clients, so it must not block; use `ReplyStep.later`. Returns
        /// nil for the normal reply.
        package var script: (@Sendable (SimulatedRequest) -> [ReplyStep]?)?
        /// Whether to keep every request in the log. Memory grows with each.
        package var keepsRequests = false
        package var threads = 2

        /// No latency, no faults, free ports.
        package init() {}
    }

    private let server: HTTPServer
    private let desk: ServiceDesk

    /// Starts both servers. They accept requests when this returns.
    package static func start(
        _ store: SimulatedStore, _ settings: Settings = Settings()
    ) throws(SimulatorError) -> AppStoreSimulator {
        let desk = ServiceDesk(store: store, settings: settings)
        let server = try HTTPServer(
            ports: [settings.port, settings.sandboxPort], threads: max(1, settings.threads)
        ) { request, door in
            desk.reply(to: request, at: SimulatedEnvironment(door: door))
        } farewell: { door in
            desk.log.addDeparture(from: SimulatedEnvironment(door: door))
        }
        return AppStoreSimulator(server: server, desk: desk)
    }

    private init(server: HTTPServer, desk: ServiceDesk) {
        self.server = server
        self.desk = desk
    }

    /// Closes all connections and both servers. Call it once.
    package func stop() { server.stop() }

    package var productionURL: String { "http://127.0.0.1:\(server.ports[0])/verifyReceipt" }

    package var sandboxURL: String { "http://127.0.0.1:\(server.ports[1])/verifyReceipt" }

    /// Number of requests received, including those that faults left without an answer.
    package var requests: Int { desk.requests }

    /// All requests in order of arrival, if the settings keep them.
    package var keptRequests: [SimulatedRequest] { desk.log.requests }

    /// Returns when a server has received this many requests. Requires kept requests.
    package func arrival(of count: Int, at environment: SimulatedEnvironment) async {
        await desk.log.arrival(of: count, at: environment)
    }

    /// Returns when this many connections to a server have ended.
    package func departure(of count: Int, from environment: SimulatedEnvironment) async {
        await desk.log.departure(of: count, from: environment)
    }
}

extension SimulatedEnvironment {
    /// The server ports are in this order.
    fileprivate init(door: Int) { self = door == 0 ? .production : .sandbox }
}
