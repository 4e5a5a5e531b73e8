internal import Synchronization

/// Simulates Apple's two verifyReceipt servers on loopback, with generated customers.
package final class AppStoreSimulator: Sendable {
    package struct Settings: Sendable {
        /// Port of the production server; 0: any free port.
        package var port: UInt16 = 0
        package var sandboxPort: UInt16 = 0
        /// How long an answer takes, plus or minus half.
        package var latency: Duration = .zero
        package var faults = FaultPlan.none
        /// Called for every POST. Its steps replace the normal reply and its faults. Runs on a
        /// thread that serves other clients, so it must not block; use `ReplyStep.later`. Returns
        /// nil for the normal reply.
        var script: (@Sendable (SimulatedRequest) -> [ReplyStep]?)?
        /// Whether to keep every request in the log. Memory grows with each.
        var keepsRequests = false
        var threads = 2

        package init() {}
    }

    private let server: HTTPServer
    private let responder: RequestResponder

    package static func start(
        _ store: SimulatedStore, _ settings: Settings = Settings()
    ) throws(SimulatorError) -> AppStoreSimulator {
        let responder = RequestResponder(store: store, settings: settings)
        let server = try HTTPServer(
            ports: [settings.port, settings.sandboxPort], threads: max(1, settings.threads)
        ) { request, listener in
            responder.reply(to: request, at: SimulatedEnvironment(listener: listener))
        } connectionEnd: { listener in
            responder.log.addDeparture(from: SimulatedEnvironment(listener: listener))
        }
        return AppStoreSimulator(server: server, responder: responder)
    }

    private init(server: HTTPServer, responder: RequestResponder) {
        self.server = server
        self.responder = responder
    }

    /// Closes all connections and both servers. Call it once.
    package func stop() { server.stop() }

    package var productionURL: String { "http://127.0.0.1:\(server.ports[0])/verifyReceipt" }

    package var sandboxURL: String { "http://127.0.0.1:\(server.ports[1])/verifyReceipt" }

    /// Number of requests received, including those that faults left without an answer.
    package var requests: Int { responder.requests }

    /// All requests in order of arrival, if the settings keep them.
    var keptRequests: [SimulatedRequest] { responder.log.requests }

    /// Returns when a server has received this many requests. Requires kept requests.
    func arrival(of count: Int, at environment: SimulatedEnvironment) async {
        await responder.log.arrival(of: count, at: environment)
    }

    /// Returns when this many connections to a server have ended.
    func departure(of count: Int, from environment: SimulatedEnvironment) async {
        await responder.log.departure(of: count, from: environment)
    }
}

extension SimulatedEnvironment {
    /// The server ports are in this order.
    fileprivate init(listener: Int) { self = listener == 0 ? .production : .sandbox }
}
