import Foundation

@testable import Reconcile

/// The App Store Server API's two servers, which answer every request by a script.
final class ScriptedAPI: Sendable {
    struct Ask: Sendable {
        let server: AppleServer
        /// How often this server was asked for the same target, from 1.
        let attempt: Int
        /// The path and the query.
        let target: String
        let method: String
        /// The value of the header `Authorization`.
        let authorization: String?
        let body: [UInt8]

        /// Without the query.
        var path: String { String(target.prefix { $0 != "?" }) }
        var isForHistory: Bool { path.hasPrefix("/inApps/v2/history/") }
        var isForSubscriptions: Bool { path.hasPrefix("/inApps/v1/subscriptions/") }
        var isForApp: Bool { path.hasPrefix("/inApps/v1/transactions/appTransactions/") }
        /// The transaction that the request is about.
        var id: String { path.split(separator: "/").last.map(String.init) ?? "" }
        /// The revision of the page before; nil for the first page.
        var revision: String? {
            target.firstMatch(of: /[?&]revision=([^&]*)/).map { String($0.1) }
        }
    }

    private let production: LoopbackServer
    private let sandbox: LoopbackServer
    private let log: Shared<[Ask]>

    init(_ script: @escaping @Sendable (Ask) -> [LoopbackServer.Act]) throws {
        let log = Shared<[Ask]>([])
        self.log = log
        production = try LoopbackServer { script(Self.record($0, at: .serverAPI, in: log)) }
        sandbox = try LoopbackServer { script(Self.record($0, at: .serverAPISandbox, in: log)) }
    }

    var url: String { production.origin }
    var sandboxURL: String { sandbox.origin }
    var asks: [Ask] { log.current }

    private static func record(
        _ request: LoopbackServer.Request, at server: AppleServer, in log: Shared<[Ask]>
    ) -> Ask {
        let words = request.head.prefix { $0 != "\r\n" }.split(separator: " ").map(String.init)
        let header = request.head.firstMatch(of: /(?im)^authorization:\s*(.*?)\s*$/)
        let target = words.count > 1 ? words[1] : ""
        return log.update { asks in
            let before = asks.count { $0.server == server && $0.target == target }
            asks.append(
                Ask(
                    server: server, attempt: before + 1, target: target, method: words[0],
                    authorization: header.map { String($0.1) }, body: request.body))
        }.last
            ?? Ask(
                server: server, attempt: 0, target: "", method: "", authorization: nil, body: [])
    }
}

/// Bodies of the API's answers.
enum APIBody {
    /// - Parameter revision: to ask for the next page with; nil at the last page.
    static func history(_ signed: [[UInt8]], before revision: String? = nil) -> String {
        let next = revision.map { #","revision":"\#($0)","hasMore":true"# } ?? #","hasMore":false"#
        return #"{"signedTransactions":\#(list(signed))\#(next)}"#
    }

    /// - Parameter renewals: with the status of each, 1 to 5.
    static func subscriptions(_ renewals: [(signed: [UInt8], status: Int)]) -> String {
        let last = renewals.map { renewal in
            let signed = String(decoding: renewal.signed, as: UTF8.self)
            return #"{"signedRenewalInfo":"\#(signed)","status":\#(renewal.status)}"#
        }.joined(separator: ",")
        return #"{"data":[{"lastTransactions":[\#(last)]}]}"#
    }

    static func app(_ signed: [UInt8]) -> String {
        #"{"signedAppTransactionInfo":"\#(String(decoding: signed, as: UTF8.self))"}"#
    }

    static func error(_ code: Int) -> String { #"{"errorCode":\#(code),"errorMessage":"No."}"# }

    private static func list(_ signed: [[UInt8]]) -> String {
        "[" + signed.map { "\"\(String(decoding: $0, as: UTF8.self))\"" }.joined(separator: ",")
            + "]"
    }
}

extension LoopbackServer.Act {
    /// An error of the API's, with HTTP status and Apple's code.
    static func apiError(_ status: Int, _ code: Int) -> Self {
        .reply(status: "\(status) No", APIBody.error(code))
    }
}
