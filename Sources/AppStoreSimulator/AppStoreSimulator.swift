internal import Synchronization

/// Apple's two verifyReceipt servers on loopback, before a simulated world.
package final class AppStoreSimulator: Sendable {
    /// How the servers behave.
    package struct Settings: Sendable {
        /// Of the production server; 0 for a free one.
        package var port: UInt16 = 0
        /// Of the sandbox server; 0 for a free one.
        package var sandboxPort: UInt16 = 0
        /// How long an answer takes, give or take a half of it.
        package var latency: Duration = .zero
        /// When it fails, and how.
        package var faults = FaultPlan.none
        /// Threads that serve connections.
        package var threads = 2

        /// Without latency or faults, on free ports.
        package init() {}
    }

    private let server: HTTPServer
    private let desk: ServiceDesk

    /// Starts both servers; they answer when this returns.
    package static func start(
        _ store: SimulatedStore, _ settings: Settings = Settings()
    ) throws(SimulatorError) -> AppStoreSimulator {
        let desk = ServiceDesk(store: store, settings: settings)
        let server = try HTTPServer(
            ports: [settings.port, settings.sandboxPort], threads: max(1, settings.threads)
        ) { request, door in
            desk.reply(to: request, at: door == 0 ? .production : .sandbox)
        }
        return AppStoreSimulator(server: server, desk: desk)
    }

    private init(server: HTTPServer, desk: ServiceDesk) {
        (self.server, self.desk) = (server, desk)
    }

    /// Ends every connection and both servers. To be called once.
    package func stop() { server.stop() }

    /// Where production listens.
    package var productionURL: String { "http://127.0.0.1:\(server.ports[0])/verifyReceipt" }

    /// Where the sandbox listens.
    package var sandboxURL: String { "http://127.0.0.1:\(server.ports[1])/verifyReceipt" }

    /// How many requests were answered, or not, as the faults would have it.
    package var requests: Int { desk.requests }
}
