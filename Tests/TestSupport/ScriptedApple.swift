import Foundation
import Synchronization

@testable import Reconcile

/// Apple's two servers on loopback, which answer every receipt as a script says.
final class ScriptedApple: Sendable {
    /// A verifyReceipt request, read.
    struct Ask: Sendable {
        /// Base64, as it came.
        let receipt: String
        let password: String?
        /// Of all the body's members.
        let keys: Set<String>
        let excludesOldTransactions: Bool
        let environment: StoreEnvironment
        /// How often this server was asked about this receipt, from 1.
        let attempt: Int
    }

    let production: LoopbackServer
    let sandbox: LoopbackServer
    private let log: AskLog

    /// - Parameter script: runs on the connection's own thread, and may block it.
    init(_ script: @escaping @Sendable (Ask) -> [LoopbackServer.Act]) throws {
        let log = AskLog()
        self.log = log
        production = try LoopbackServer { script(log.ask($0, of: .production)) }
        sandbox = try LoopbackServer { script(log.ask($0, of: .sandbox)) }
    }

    /// Answers every receipt with a status.
    convenience init(status: Int) throws {
        try self.init { _ in [.reply(AppleAnswer.status(status))] }
    }

    /// Every request so far, in order of arrival.
    var asks: [Ask] { log.asks }
}

/// The requests as they came, over both servers.
private final class AskLog: Sendable {
    private let heard = Mutex<[ScriptedApple.Ask]>([])

    var asks: [ScriptedApple.Ask] { heard.withLock { $0 } }

    func ask(
        _ request: LoopbackServer.Request, of environment: StoreEnvironment
    ) -> ScriptedApple.Ask {
        let parsed = try? JSONSerialization.jsonObject(with: Data(request.body))
        let body = parsed as? [String: Any] ?? [:]
        let receipt = body["receipt-data"] as? String ?? ""
        return heard.withLock { asks in
            let earlier = asks.count { $0.receipt == receipt && $0.environment == environment }
            let ask = ScriptedApple.Ask(
                receipt: receipt, password: body["password"] as? String, keys: Set(body.keys),
                excludesOldTransactions: body["exclude-old-transactions"] as? Bool ?? true,
                environment: environment, attempt: earlier + 1)
            asks.append(ask)
            return ask
        }
    }
}
