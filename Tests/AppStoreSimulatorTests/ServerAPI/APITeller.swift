import Foundation
import Testing

@testable import AppStoreSimulator
@testable import Reconcile

/// Asks the simulated App Store Server API of the demo world, without a network.
struct APITeller {
    var store = SimulatedStore.demo()
    var app = SimulatedApp.atlas
    var environment = SimulatedEnvironment.production

    func answer(
        _ target: String, method: String = "GET", body: String = "", token: String? = nil
    ) -> SimulatedAPIAnswer {
        SimulatedServerAPI(store: store).answer(
            method, target, body: Array(body.utf8),
            authorization: token ?? TokenForge(app).text, at: environment,
            seconds: TokenForge.now)
    }

    /// `errorCode` of an answer that has one.
    func code(_ target: String, method: String = "GET", body: String = "") throws -> Int? {
        let answer = answer(target, method: method, body: body)
        try #require(answer.status != 200, "\(target)")
        struct Failure: Decodable { let errorCode: Int }
        return try? JSONDecoder().decode(Failure.self, from: Data(answer.body)).errorCode
    }

    func history(_ id: Int64, after revision: String? = nil) throws -> HistoryBody {
        let query = revision.map { "?revision=\($0)" } ?? ""
        return try decoded(answer("/inApps/v2/history/\(id)\(query)"))
    }

    /// All pages.
    func transactions(_ id: Int64) throws -> [SignedTransaction] {
        var page = try history(id)
        var texts = page.signedTransactions
        while page.hasMore {
            page = try history(id, after: page.revision)
            texts += page.signedTransactions
        }
        return try texts.map { SignedTransaction(try payload($0)) }
    }

    func statuses(_ id: Int64) throws -> StatusBody {
        try decoded(answer("/inApps/v1/subscriptions/\(id)"))
    }

    /// - Parameter body: in JSON.
    func notices(_ body: String, after token: String? = nil) throws -> NoticesBody {
        let query = token.map { "?paginationToken=\($0)" } ?? ""
        return try decoded(
            answer("/inApps/v1/notifications/history" + query, method: "POST", body: body))
    }

    func decoded<Body: Decodable>(_ answer: SimulatedAPIAnswer) throws -> Body {
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try JSONDecoder().decode(Body.self, from: Data(answer.body))
    }

    /// Of a JWS that the simulator's root vouches for.
    func payload(_ text: String) throws -> SignedPayload {
        let jws = try #require(JWS(Array(text.utf8)))
        let result = Self.verifier.verification(of: jws, now: Instant(milliseconds: 0))
        try #require(result.isGenuine, "\(result.failures)")
        return jws.payload
    }

    private static let verifier = JWSVerifier(TrustedRoots([ThrowAwayChain.root]))
}

struct HistoryBody: Decodable {
    let bundleId: String
    let environment: String
    let appAppleId: Int64?
    let revision: String
    let hasMore: Bool
    let signedTransactions: [String]
}

struct StatusBody: Decodable {
    struct Group: Decodable {
        let subscriptionGroupIdentifier: String
        let lastTransactions: [Item]
    }

    struct Item: Decodable {
        let originalTransactionId: String
        let status: Int
        let signedRenewalInfo: String
        let signedTransactionInfo: String
    }

    let bundleId: String
    let environment: String
    let data: [Group]

    var items: [Item] { data.flatMap(\.lastTransactions) }
}

struct NoticesBody: Decodable {
    struct Item: Decodable {
        let signedPayload: String
        let sendAttempts: [Attempt]
    }

    struct Attempt: Decodable {
        let attemptDate: Int64
        let sendAttemptResult: String
    }

    let hasMore: Bool
    let paginationToken: String?
    let notificationHistory: [Item]
}

extension SimulatedStore {
    /// The first account of the first customer with this story, in an app and with something
    /// bought.
    func account(
        living story: Story, app: SimulatedApp? = nil,
        where isWanted: (AppAccount) -> Bool = { _ in true }
    ) throws -> KnownAccount {
        try #require(
            (0..<customers).lazy.filter { card(of: $0).story == story }
                .map { account(0, of: customer($0)) }
                .first {
                    (app ?? $0.account.app) == $0.account.app && !$0.transactions.isEmpty
                        && isWanted($0.account)
                })
    }
}

extension KnownAccount {
    /// Any of its ids: the newest one's.
    var id: Int64 { transactions.last?.id ?? 0 }

    func teller(in store: SimulatedStore) -> APITeller {
        APITeller(store: store, app: account.app, environment: environment)
    }
}
