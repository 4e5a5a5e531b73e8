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
        /// Called for every POST; its steps replace the reply and its faults, nil does not. Must
        /// not block, because its thread serves other clients too: use `ReplyStep.later`.
        var script: (@Sendable (SimulatedRequest) -> [ReplyStep]?)?
        /// Keeps every request in the log: memory grows with each.
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

    /// Call it once.
    package func stop() { server.stop() }

    package var productionURL: String { "http://127.0.0.1:\(server.ports[0])/verifyReceipt" }

    package var sandboxURL: String { "http://127.0.0.1:\(server.ports[1])/verifyReceipt" }

    /// Includes requests that a fault left without an answer.
    package var requests: Int { responder.requests }

    /// In order of arrival; empty unless the settings keep requests.
    var keptRequests: [SimulatedRequest] { responder.log.requests }

    /// Returns when a server has received this many requests. The settings must keep requests.
    func arrival(of count: Int, at environment: SimulatedEnvironment) async {
        await responder.log.arrival(of: count, at: environment)
    }

    /// Returns when this many connections to a server have ended.
    func departure(of count: Int, from environment: SimulatedEnvironment) async {
        await responder.log.departure(of: count, from: environment)
    }
}

extension SimulatedEnvironment {
    fileprivate init(listener: Int) { self = listener == 0 ? .production : .sandbox }
}
