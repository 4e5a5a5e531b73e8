internal import Synchronization

/// Simulates Apple's servers on loopback, with generated customers: verifyReceipt and the App Store
/// Server API, each in production and as a sandbox.
package final class AppStoreSimulator: Sendable {
    package struct Settings: Sendable {
        /// Port of the production server; 0: any free port.
        package var port: UInt16 = 0
        package var sandboxPort: UInt16 = 0
        /// Ports of the App Store Server API.
        package var apiPort: UInt16 = 0
        package var apiSandboxPort: UInt16 = 0
        /// How long an answer takes, plus or minus half.
        package var latency: Duration = .zero
        package var faults = FaultPlan.none
        /// Called for every POST to verifyReceipt; its steps replace the reply and its faults, nil
        /// does not. Must not block, because its thread serves other clients too: use
        /// `ReplyStep.later`.
        var script: (@Sendable (SimulatedRequest) -> [ReplyStep]?)?
        /// The same for every request to the App Store Server API.
        var apiScript: (@Sendable (SimulatedAPIRequest) -> [ReplyStep]?)?
        /// Keeps every request in the log: memory grows with each.
        var keepsRequests = false
        var threads = 2

        package init() {}
    }

    private let server: HTTPServer
    private let responder: RequestResponder
    private let apiResponder: APIResponder

    package static func start(
        _ store: SimulatedStore, _ settings: Settings = Settings()
    ) throws(SimulatorError) -> AppStoreSimulator {
        let responder = RequestResponder(store: store, settings: settings)
        let apiResponder = APIResponder(store: store, settings: settings)
        let server = try HTTPServer(
            ports: [
                settings.port, settings.sandboxPort, settings.apiPort, settings.apiSandboxPort,
            ], threads: max(1, settings.threads)
        ) { request, listener in
            let environment = SimulatedEnvironment(listener: listener)
            return isOfServerAPI(listener)
                ? apiResponder.reply(to: request, at: environment)
                : responder.reply(to: request, at: environment)
        } connectionEnd: { listener in
            guard !isOfServerAPI(listener) else { return }
            responder.log.addDeparture(from: SimulatedEnvironment(listener: listener))
        }
        return AppStoreSimulator(
            server: server, responder: responder, apiResponder: apiResponder)
    }

    private init(server: HTTPServer, responder: RequestResponder, apiResponder: APIResponder) {
        self.server = server
        self.responder = responder
        self.apiResponder = apiResponder
    }

    /// Whether a listener is the API's: by the order of the ports.
    private static func isOfServerAPI(_ listener: Int) -> Bool { listener >= 2 }

    /// Call it once.
    package func stop() { server.stop() }

    package var productionURL: String { "http://127.0.0.1:\(server.ports[0])/verifyReceipt" }

    package var sandboxURL: String { "http://127.0.0.1:\(server.ports[1])/verifyReceipt" }

    /// Without a path, like the product's setting.
    package var apiURL: String { "http://127.0.0.1:\(server.ports[2])" }

    package var apiSandboxURL: String { "http://127.0.0.1:\(server.ports[3])" }

    /// Includes requests that a fault left without an answer.
    package var requests: Int { responder.requests + apiResponder.requests }

    /// In order of arrival; empty unless the settings keep requests.
    var keptRequests: [SimulatedRequest] { responder.log.requests }
    var keptAPIRequests: [SimulatedAPIRequest] { apiResponder.keptRequests }

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
    fileprivate init(listener: Int) { self = listener % 2 == 0 ? .production : .sandbox }
}
