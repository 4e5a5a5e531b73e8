import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: customers of `ScriptedAPI` or a reply to a request, and what comes of the look.
@Suite("The requests about one customer", .hangLimit)
struct CustomerExchangeTests {
    private static let three = APICustomer(pages: [
        [.sale("10"), .sale("11")], [.sale("12"), .sale("13")], [.sale("14")],
    ])

    private func targets(_ scene: APIScene) -> [String] { scene.api.asks.map(\.target) }

    @Test("A request is a GET in production, with a token of the app that is asked about")
    func request() async throws {
        let scene = try APIScene(ScriptedAPI([APICustomer(.sale("10"))]))
        let look = try await scene.look(of: "acme")
        #expect(look.outcome == .verified)
        #expect(scene.api.asks.count == 1)
        let ask = try #require(scene.api.asks.first)
        #expect(ask.server == .serverAPI)
        #expect(ask.method == "GET")
        #expect(ask.target == "/inApps/v2/history/10")
        #expect(ask.body.isEmpty)
        let bearer = try #require(ask.authorization)
        #expect(bearer.hasPrefix("Bearer "))
        let token = try ReadToken(String(bearer.dropFirst("Bearer ".count)))
        #expect(token.claims["bid"] as? String == "acme")
        #expect(token.isSigned)
    }

    @Test("All pages are asked for, each by the revision of the one before, and make one answer")
    func pages() async throws {
        let scene = try APIScene(ScriptedAPI([Self.three]))
        let look = try await scene.look()
        let history = "/inApps/v2/history/10"
        #expect(
            targets(scene) == [history, history + "?revision=r1", history + "?revision=r2"])
        #expect(look.history?.transactions.map(\.id) == ["10", "11", "12", "13", "14"])
        #expect(look.requests.all.count { $0.isRetry } == 0)
        #expect(scene.log.map(\.httpStatus) == [200, 200, 200])
    }

    @Test("A revision is written so that it stays one value of the query")
    func revision() async throws {
        let scene = try APIScene(
            ScriptedAPI { ask in
                let isFirst = ask.revision == nil
                return [.reply(APIBody.history([], before: isFirst ? "a+/=&?#é" : nil))]
            })
        _ = try await scene.look()
        #expect(scene.api.asks.last?.revision == "a%2B%2F%3D%26%3F%23%C3%A9")
    }

    @Test("A request that fails once is repeated, and what came before it is not asked for again")
    func retried() async throws {
        let scene = try APIScene(
            ScriptedAPI([Self.three]) { ask in
                ask.revision == "r1" && ask.attempt == 1 ? [.apiError(500, 5_000_000)] : nil
            })
        let look = try await scene.look()
        #expect(scene.api.asks.map(\.revision) == [nil, "r1", "r1", "r2"])
        #expect(look.history?.transactions.count == 5)
        #expect(look.requests.all.map(\.isRetry) == [false, false, true, false])
    }

    /// Attempts are counted for each request: two each make six for three pages.
    @Test("Each request has all attempts")
    func attempts() async throws {
        let scene = try APIScene(
            ScriptedAPI([Self.three]) { $0.attempt == 1 ? [.apiError(503, 0)] : nil })
        let look = try await scene.look()
        #expect(look.outcome == .verified)
        #expect(scene.api.asks.count == 6)
    }

    @Test(
        "An answer is whole or it is none: a request that fails leaves nothing",
        arguments: [
            "/inApps/v2/history/10?revision=r2", "/inApps/v1/subscriptions/10",
            "/inApps/v1/transactions/appTransactions/10",
        ])
    func whole(target: String) async throws {
        var customer = Self.three
        customer.pages[1].append(JWSForge().text(.sale("20", until: 20)))
        let scene = try APIScene(
            ScriptedAPI([customer]) { $0.target == target ? [.apiError(500, 5_000_000)] : nil },
            premium: ["acme"])
        let look = try await scene.look()
        #expect(look.outcome == .unverified(.httpStatus))
        #expect(look.body == nil)
        #expect(look.attempts.lastHTTPStatus == 500)
        #expect(scene.api.asks.last?.target == target)
        #expect(scene.api.asks.last?.attempt == 2)
    }

    @Test(
        "The state of subscriptions is asked for where there are any",
        arguments: [
            (label: "a product that is bought once", sale: PayloadJSON.sale("10"), isAsked: false),
            ("a subscription", .sale("10", until: 20), true),
            ("an expiry alone", .sale("10", until: 20).without("type"), true),
            (
                "the type alone",
                .sale("10").with("type", #""Auto-Renewable Subscription""#), true
            ),
        ])
    func subscriptions(label: String, sale: PayloadJSON, isAsked: Bool) async throws {
        var customer = APICustomer(sale)
        let renewal = PayloadJSON.renewal.with("originalTransactionId", #""10""#)
        customer.renewals = [(JWSForge().text(renewal), 3)]
        let scene = try APIScene(ScriptedAPI([customer]))
        let history = try await scene.look().history
        #expect(scene.api.asks.contains(where: \.isForSubscriptions) == isAsked)
        #expect(history?.renewals.map(\.appleStatus) == (isAsked ? [3] : []))
        #expect(history?.renewals.map(\.willRenew) == (isAsked ? [true] : []))
    }

    @Test("The app transaction is asked for where the app was once paid for; a 404 is none")
    func app() async throws {
        var paid = APICustomer(.sale("10"))
        paid.app = JWSForge().text(.appTransaction)
        for (customer, version) in [(paid, "4.9"), (APICustomer(.sale("10")), nil)] {
            let scene = try APIScene(ScriptedAPI([customer]), premium: ["acme"])
            let look = try await scene.look()
            #expect(look.outcome == .verified)
            #expect(look.history?.originalApplicationVersion == version)
            #expect(scene.api.asks.count == 2)
            #expect(scene.api.asks.last?.isForApp == true)
        }
        let scene = try APIScene(ScriptedAPI([paid]), premium: ["other"])
        _ = try await scene.look()
        #expect(scene.api.asks.count == 1)
    }
}
