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
        /// Asked about every POST before the world is: what it returns is done instead of all
        /// else, and nothing but that. Runs on a thread that serves others too, so it must not
        /// wait: `ReplyStep.later` does. Nil: the world's own answer, and its faults.
        package var script: (@Sendable (SimulatedRequest) -> [ReplyStep]?)?
        /// Whether the log keeps every request, which takes memory without end.
        package var keepsRequests = false
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
            desk.reply(to: request, at: SimulatedEnvironment(door: door))
        } farewell: { door in
            desk.log.addDeparture(from: SimulatedEnvironment(door: door))
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

    /// Every request, in order of arrival, where the settings say that it be kept.
    package var keptRequests: [SimulatedRequest] { desk.log.requests }

    /// Returns once so many requests have come to a server. Only where they are kept.
    package func arrival(of count: Int, at environment: SimulatedEnvironment) async {
        await desk.log.arrival(of: count, at: environment)
    }

    /// Returns once so many connections with a server have ended.
    package func departure(of count: Int, from environment: SimulatedEnvironment) async {
        await desk.log.departure(of: count, from: environment)
    }
}

extension SimulatedEnvironment {
    /// In the order of the server's ports.
    fileprivate init(door: Int) { self = door == 0 ? .production : .sandbox }
}
