import Foundation
import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a row of its table.
@Suite("The simulated App Store Server API")
struct ServerAPITests {
    private let store = SimulatedStore.demo()

    @Test(
        "Paths are case-sensitive, and each has one method",
        arguments: [
            (method: "GET", target: "/inapps/v2/history/1"), ("GET", "/inApps/V2/history/1"),
            ("GET", "/inApps/v1/history/1"), ("POST", "/inApps/v2/history/1"),
            ("GET", "/inApps/v2/history/"), ("GET", "/inApps/v2/history/1/"),
            ("GET", "/inApps/v1/notifications/history"), ("GET", "/verifyReceipt"),
            ("POST", "/inApps/v1/notifications/test"), ("HEAD", "/inApps/v1/subscriptions/1"),
        ])
    func unknownPaths(method: String, target: String) throws {
        let teller = APITeller()
        #expect(teller.answer(target, method: method).status == 404)
        #expect(try teller.code(target, method: method) == nil)
    }

    @Test(
        "A request that Apple refuses gets Apple's error code",
        arguments: [
            (target: "/inApps/v2/history/x", status: 400, code: 4_000_006),
            ("/inApps/v2/history/-1", 400, 4_000_006),
            ("/inApps/v2/history/9223372036854775808", 400, 4_000_006),
            ("/inApps/v2/history/0", 404, 4_040_010),
            ("/inApps/v2/history/9223372036854775807", 404, 4_040_010),
            ("/inApps/v1/subscriptions/1", 404, 4_040_010),
            ("/inApps/v1/transactions/appTransactions/1", 404, 4_040_010),
            ("/inApps/v2/history/1?page=2", 400, 4_000_000),
            ("/inApps/v2/history/1?revision", 400, 4_000_000),
            ("/inApps/v2/history/1?revision=a&sort=ASCENDING", 400, 4_000_000),
            ("/inApps/v1/subscriptions/1?revision=a", 400, 4_000_000),
        ])
    func refusals(target: String, status: Int, code: Int) throws {
        let teller = APITeller()
        #expect(teller.answer(target).status == status)
        #expect(try teller.code(target) == code)
    }

    @Test("A customer of another environment or app, a forged and Xcode's purchase are unknown")
    func unknownCustomers() throws {
        let tester = try store.account(living: .tester)
        var teller = tester.teller(in: store)
        #expect(try teller.history(tester.id).environment == "Sandbox")
        teller.environment = .production
        #expect(try teller.code("/inApps/v2/history/\(tester.id)") == 4_040_010)
        let owner = try store.account(living: .subscriber, app: .lumen)
        teller = owner.teller(in: store)
        #expect(try teller.history(owner.id).bundleId == SimulatedApp.lumen.bundle)
        for environment in SimulatedEnvironment.allCases {
            teller.environment = environment
            teller.app = .atlas
            #expect(try teller.code("/inApps/v2/history/\(owner.id)") == 4_040_010)
        }
        for story in [Story.forged, .xcode] {
            let account = try store.account(living: story)
            let code = try account.teller(in: store).code("/inApps/v2/history/\(account.id)")
            #expect(code == 4_040_010, "\(story)")
        }
        let gone = try store.account(living: .accountGone)
        #expect(try gone.teller(in: store).code("/inApps/v2/history/\(gone.id)") == 4_040_001)
    }

    @Test("A page has 20 transactions at most, and the revision leads to the next")
    func pages() throws {
        let account = try store.account(living: .magazineReader) { account in
            account.subscriptions.contains { $0.periods.count == 21 }
        }
        let teller = account.teller(in: store)
        let first = try teller.history(account.id)
        #expect(first.signedTransactions.count == 20)
        #expect(first.hasMore)
        #expect(first.appAppleId == account.account.app.storeID)
        let second = try teller.history(account.transactions[0].id, after: first.revision)
        #expect(second.signedTransactions.count == 1)
        #expect(!second.hasMore)
        let all = try teller.transactions(account.id)
        #expect(all.map(\.id?.text) == account.transactions.map { String($0.id) })
        // The same request has the same bytes, and a later revision shows nothing more.
        #expect(try teller.history(account.id).signedTransactions == first.signedTransactions)
        let third = try teller.history(account.id, after: second.revision)
        #expect(third.signedTransactions.isEmpty)
        #expect(third.revision == second.revision)
    }

    @Test("A revision of another customer, or changed, is refused")
    func revisions() throws {
        let account = try store.account(living: .subscriber, app: .atlas)
        let other = try store.account(living: .collector, app: .atlas)
        let teller = account.teller(in: store)
        let revision = try teller.history(other.id).revision
        for wrong in [revision, revision + "A", "x", "", "%00"] {
            let target = "/inApps/v2/history/\(account.id)?revision=\(wrong)"
            #expect(try teller.code(target) == 4_000_005, "\(wrong)")
        }
        let own = try teller.history(account.id).revision
        let escaped = "%" + String(own.utf8.first ?? 0, radix: 16) + own.dropFirst()
        #expect(try teller.history(account.id, after: escaped).signedTransactions.isEmpty)
    }

    @Test("The app's first download is told, but not of an app for iOS 6")
    func appTransactions() throws {
        struct Body: Decodable { let signedAppTransactionInfo: String }
        let owner = try store.account(living: .collector, app: .atlas)
        let teller = owner.teller(in: store)
        let path = "/inApps/v1/transactions/appTransactions/"
        let body: Body = try teller.decoded(teller.answer(path + "\(owner.id)"))
        let payload = try teller.payload(body.signedAppTransactionInfo)
        #expect(payload.text("originalApplicationVersion") == owner.account.originalVersion)
        #expect(payload.text("bundleId") == owner.account.app.bundle)
        #expect(payload.text("receiptType") == "Production")
        let old = try store.account(living: .oldClient)
        #expect(try teller.code(path + "\(old.id)") == 4_040_019)
    }

    @Test("An order leads to its transaction, in production and in its app alone")
    func orders() throws {
        struct Body: Decodable {
            let status: Int
            let signedTransactions: [String]?
        }
        let owner = try store.account(living: .owner, app: .atlas)
        let purchase = try #require(owner.transactions.last)
        let order = try #require(OrderID.text(of: purchase))
        #expect(order.count == 10)
        func lookup(_ order: String, _ teller: APITeller) throws -> Body {
            try teller.decoded(teller.answer("/inApps/v1/lookup/\(order)"))
        }
        let teller = owner.teller(in: store)
        let found = try lookup(order, teller)
        #expect(found.status == 0)
        let texts = try #require(found.signedTransactions)
        let ids = try texts.map { try teller.payload($0).text("transactionId") }
        #expect(ids == [String(purchase.id)])
        let others = [
            APITeller(store: store, app: .lumen), APITeller(store: store, environment: .sandbox),
        ]
        for teller in others { #expect(try lookup(order, teller).status == 1) }
        for unknown in ["MAAAAAAAAA", "M", "Q" + order.dropFirst(), order + "A"] {
            #expect(try lookup(unknown, teller).status == 1, "\(unknown)")
        }
        #expect(try lookup("M0", teller).signedTransactions == nil)
    }

    @Test("A connection tells what the world knows, as Apple's servers do")
    func isServed() async throws {
        try await serving { simulator, _ in
            var token = TokenForge()
            token.issuedAt = .number(1)
            let account = try store.account(living: .collector, app: .atlas)
            let client = RawClient(simulator.apiURL + "/")
            func reply(_ header: String) -> String {
                client.send("GET /inApps/v2/history/\(account.id) HTTP/1.1\r\n\(header)\r\n\r\n")
                return client.reply()
            }
            let expired = reply("Authorization: \(token.text)")
            #expect(expired.hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
            #expect(reply("Host: a").hasSuffix("\r\nContent-Length: 0\r\n\r\n"))
            let now = Int64(Date().timeIntervalSince1970)
            token.issuedAt = .number(now - 30)
            token.endsAt = .number(now + 1_200)
            let found = reply("Authorization: \(token.text)")
            #expect(found.hasPrefix("HTTP/1.1 200 OK\r\nServer: daiquiri/5\r\n"))
            #expect(found.contains("\r\nContent-Type: application/json\r\n"))
            #expect(!found.contains("Set-Cookie"))
            #expect(found.contains(#""signedTransactions":["eyJ"#))
            let sandbox = RawClient(simulator.apiSandboxURL + "/")
            sandbox.send(
                "GET /inApps/v2/history/\(account.id) HTTP/1.1\r\n"
                    + "Authorization: \(token.text)\r\n\r\n")
            #expect(sandbox.reply().contains("4040010"))
            #expect(simulator.requests == 4)
        }
    }
}
