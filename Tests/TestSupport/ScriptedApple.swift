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
            let steps = { @Sendable in script(Ask(request: request)).map(ReplyStep.init) }
            Thread.detachNewThread { pending.decide(steps()) }
            return [.later(pending)]
        }
        let nobody = SimulatedStore(
            seed: 0, customers: 0, firstNight: Moment(milliseconds: 1_795_140_000_000))
        simulator = try AppStoreSimulator.start(nobody, settings)
        production = Door(simulator: simulator, environment: .production)
        sandbox = Door(simulator: simulator, environment: .sandbox)
    }

    deinit { simulator.stop() }

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

/// Bodies of verifyReceipt answers, in Apple's modern form.
enum AppleAnswer {
    static func status(_ status: Int) -> String { #"{"status":\#(status)}"# }

    static func verified(
        bundle: String = "acme", environment: StoreEnvironment = .production,
        _ transactions: [String] = []
    ) -> String {
        """
        {"status":0,"environment":"\(environment.rawValue)","receipt":{"bundle_id":"\(bundle)",\
        "original_application_version":"5.0","receipt_creation_date_ms":"1794000000000",\
        "request_date_ms":"1795140000000","in_app":[\(transactions.joined(separator: ","))]}}
        """
    }

    /// The same answer with the receipt that Apple signs as it answers, in base64.
    static func subscribed(_ transactions: [String], latest: String) -> String {
        let list = transactions.joined(separator: ",")
        return verified().dropLast()
            + #","latest_receipt_info":[\#(list)],"latest_receipt":"\#(latest)"}"#
    }

    /// The instant that days are counted from.
    static let asOf = "2026-11-20T02:00:00Z"

    /// A subscription's period, in days from `asOf`.
    static func period(
        _ id: String, of product: String = "pro.monthly", from bought: Double, to expiry: Double,
        cancelled: Double? = nil
    ) -> String {
        let cancellation = cancelled.map { #","cancellation_date_ms":"\#(milliseconds($0))""# }
        return """
            {"transaction_id":"\(id)","original_transaction_id":"\(id)",\
            "product_id":"\(product)","purchase_date_ms":"\(milliseconds(bought))",\
            "expires_date_ms":"\(milliseconds(expiry))"\(cancellation ?? "")}
            """
    }

    static func purchase(_ id: String, of product: String, isRefunded: Bool = false) -> String {
        let cancellation = isRefunded ? #","cancellation_date_ms":"1790000000000""# : ""
        return """
            {"transaction_id":"\(id)","original_transaction_id":"\(id)",\
            "product_id":"\(product)","purchase_date_ms":"1700000000000"\(cancellation)}
            """
    }

    private static func milliseconds(_ days: Double) -> Int64 {
        1_795_140_000_000 + Int64(days * 86_400_000)
    }
}
