import Foundation

@testable import AppStoreSimulator
@testable import Reconcile

/// The simulated App Store, which answers every receipt by a script instead of a world.
final class ScriptedApple: Sendable {
    struct Ask: Sendable {
        fileprivate let request: SimulatedRequest

        var environment: StoreEnvironment {
            request.environment == .production ? .production : .sandbox
        }
        /// How often this server was asked about this receipt, from 1.
        var attempt: Int { request.attempt }
        /// Base64, as received.
        var receipt: String { request.receipt }
        var password: String? { request.password }
        /// The keys of all the body's members.
        var keys: Set<String> { request.keys }
        var excludesOldTransactions: Bool { request.excludesOldTransactions }
        var body: [UInt8] { request.body }
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
            Thread.detachNewThread {
                pending.decide(script(Ask(request: request)).map(ReplyStep.init))
            }
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
