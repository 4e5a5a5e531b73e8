import Foundation

@testable import AppStoreSimulator
@testable import Reconcile

/// The simulated App Store, which answers every receipt by a script instead of a world.
final class ScriptedApple: Sendable {
    struct Ask: Sendable {
        /// Base64, as received.
        let receipt: String
        let password: String?
        /// The keys of all the body's members.
        let keys: Set<String>
        let excludesOldTransactions: Bool
        let environment: StoreEnvironment
        /// How often this server was asked about this receipt, from 1.
        let attempt: Int
        /// The body as received.
        let body: [UInt8]
    }

    let production: Door
    let sandbox: Door
    private let simulator: AppStoreSimulator

    /// - Parameter script: runs on a thread of its own for each request, and may block it.
    init(_ script: @escaping @Sendable (Ask) -> [LoopbackServer.Act]) throws {
        var settings = AppStoreSimulator.Settings()
        settings.keepsRequests = true
        settings.script = { request in
            let pending = PendingReply()
            Thread.detachNewThread { pending.decide(script(Ask(request)).map(ReplyStep.init)) }
            return [.later(pending)]
        }
        let nobody = SimulatedStore(
            seed: 0, customers: 0, firstNight: Moment(milliseconds: 1_795_140_000_000))
        simulator = try AppStoreSimulator.start(nobody, settings)
        production = Door(simulator: simulator, environment: .production)
        sandbox = Door(simulator: simulator, environment: .sandbox)
    }

    deinit { simulator.stop() }

    convenience init(status: Int) throws {
        try self.init { _ in [.reply(AppleAnswer.status(status))] }
    }

    /// Every request so far, in order of arrival.
    var asks: [Ask] { simulator.keptRequests.map(Ask.init) }

    struct Door: Sendable {
        fileprivate let simulator: AppStoreSimulator
        fileprivate let environment: SimulatedEnvironment

        var url: String {
            environment == .production ? simulator.productionURL : simulator.sandboxURL
        }

        var requests: [Ask] {
            simulator.keptRequests.filter { $0.environment == environment }.map(Ask.init)
        }

        func arrival(of count: Int) async { await simulator.arrival(of: count, at: environment) }

        func departure(of count: Int) async {
            await simulator.departure(of: count, from: environment)
        }
    }
}

extension ScriptedApple.Ask {
    fileprivate init(_ request: SimulatedRequest) {
        receipt = request.receipt
        password = request.password
        keys = request.keys
        excludesOldTransactions = request.excludesOldTransactions
        environment = request.environment == .production ? .production : .sandbox
        attempt = request.attempt
        body = request.body
    }
}

extension ReplyStep {
    fileprivate init(_ act: LoopbackServer.Act) {
        switch act {
        case .send(let bytes): self = .send(bytes)
        case .hangUp: self = .close
        case .reset: self = .reset
        case .stall: self = .stall
        }
    }
}
