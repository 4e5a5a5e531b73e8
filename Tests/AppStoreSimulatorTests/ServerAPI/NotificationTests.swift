import Testing

@testable import AppStoreSimulator
@testable import Reconcile

@Suite("The simulated history of notifications")
struct NotificationTests {
    private static let path = "/inApps/v1/notifications/history"
    private let store = SimulatedStore.demo(customers: 3_000, night: 3)
    private var teller: APITeller { APITeller(store: store) }

    /// - Parameter days: before now.
    private func body(
        _ more: String = "", from days: Int = 179, to last: Int = 0
    ) -> String {
        let dates = [days, last].map { store.now.days(-$0).milliseconds }
        return #"{"startDate":\#(dates[0]),"endDate":\#(dates[1])\#(more)}"#
    }

    private func all(_ body: String, _ teller: APITeller) throws -> [NoticesBody.Item] {
        var page = try teller.notices(body)
        var items = page.notificationHistory
        while page.hasMore {
            #expect(page.notificationHistory.count == NotificationPage.size)
            page = try teller.notices(body, after: page.paginationToken)
            items += page.notificationHistory
        }
        #expect(page.paginationToken == nil)
        return items
    }

    @Test("All pages together tell every refund of the app once", arguments: SimulatedApp.all)
    func tellsAll(app: SimulatedApp) throws {
        var teller = teller
        teller.app = app
        let kind = #","notificationType":"REFUND""#
        let items = try all(body(kind), teller)
        let told = try items.map { item -> String in
            let payload = try teller.payload(item.signedPayload)
            #expect(payload.text("notificationType") == "REFUND")
            return try #require(try transaction(of: payload).id?.text)
        }
        #expect(Set(told).count == told.count)
        // Every customer is searched here, not only those whose story has refunds.
        let since = store.now.days(-179)
        let numbers = Array(0..<store.customers) + Array(Stranger.numbers)
        let expected = numbers.flatMap { number in
            let customer = store.customer(number)
            return customer.accounts.indices.map { store.account($0, of: customer) }
                .filter { $0.account.app == app && !$0.account.isSandbox }
                .flatMap { $0.notices() }
                .filter { $0.kind == .refund && $0.signedAt >= since }
                .map { String($0.purchase.id) }
        }
        #expect(told == expected)
        #expect(expected.isEmpty == (app == .tempo))
    }

    private func transaction(of payload: SignedPayload) throws -> SignedTransaction {
        let data = payload["data"]
        let bytes = payload.bytes.withUnsafeBufferPointer { Array(data.raw(in: $0)) }
        let text = try #require(SignedPayload(bytes)?.text("signedTransactionInfo"))
        return SignedTransaction(try teller.payload(text))
    }

    @Test("A refund is told as it was then, its reversal later; family members get REVOKE")
    func kinds() throws {
        let reversals = try all(body(#","notificationType":"REFUND_REVERSED""#), teller)
        let refunds = try all(body(#","notificationType":"REFUND""#), teller)
        let refunded = try refunds.map { item in
            try transaction(of: try teller.payload(item.signedPayload))
        }
        #expect(!reversals.isEmpty)
        for item in reversals {
            let reversed = try transaction(of: try teller.payload(item.signedPayload))
            #expect(reversed.revokedAt == .absent)
            let before = try #require(refunded.first { $0.id == reversed.id })
            #expect(before.revokedAt.instant != nil)
        }
        let withdrawn = try all(body(#","notificationType":"REVOKE""#), teller)
        #expect(!withdrawn.isEmpty)
        for item in withdrawn {
            let transaction = try transaction(of: try teller.payload(item.signedPayload))
            #expect(transaction.ownership == "FAMILY_SHARED")
            #expect(transaction.revocationType == "FAMILY_REVOKE")
        }
        let everything = try all(body(), teller)
        #expect(everything.count == reversals.count + refunds.count + withdrawn.count)
    }

    @Test("Customers who are not on file are told, also in a world without others")
    func strangers() throws {
        let nobody = SimulatedStore.demo(customers: 0)
        let teller = APITeller(store: nobody)
        let items = try all(body(#","notificationType":"REFUND""#), teller)
        #expect(!items.isEmpty)
        let id = try #require(
            try transaction(of: try teller.payload(items[0].signedPayload)).id?.text)
        #expect(try teller.history(try #require(Int64(id))).signedTransactions.count > 0)
        // The second Apple account of a user who is on file.
        let stranger = store.customer(Stranger.secondAccount)
        let payers = (0..<store.customers).map(store.customer)
            .filter { $0.card.story == .sharedByPayer }.map { $0.users[0] }
        #expect(payers.first == stranger.accounts[0].purchases[0].buyer)
    }

    @Test("Some notices never reached the service, and can be asked for alone")
    func failures() throws {
        let items = try all(body(), teller)
        let failed = items.filter { item in
            !item.sendAttempts.contains { $0.sendAttemptResult == "SUCCESS" }
        }
        #expect((1..<items.count).contains(failed.count))
        #expect(failed.allSatisfy { (1...6).contains($0.sendAttempts.count) })
        let only = try all(body(#","onlyFailures":true"#), teller)
        #expect(only.map(\.signedPayload) == failed.map(\.signedPayload))
        #expect(try all(body(#","onlyFailures":false"#), teller).count == items.count)
    }

    @Test("A window and a transaction select; the sandbox and types that do not occur have none")
    func selects() throws {
        let all = try all(body(), teller)
        let late = try self.all(body(from: 20), teller)
        let early = try self.all(body(from: 179, to: 20), teller)
        #expect(late.count + early.count == all.count)
        #expect(!late.isEmpty)
        #expect(!early.isEmpty)
        let id = try transaction(of: try teller.payload(all[0].signedPayload)).id?.text ?? ""
        #expect(try !self.all(body(#","transactionId":"\#(id)""#), teller).isEmpty)
        #expect(try self.all(body(#","notificationType":"TEST""#), teller).isEmpty)
        var sandbox = teller
        sandbox.environment = .sandbox
        #expect(try self.all(body(from: 29), sandbox).isEmpty)
        #expect(try sandbox.code(Self.path, method: "POST", body: body(from: 30)) == 4_000_012)
    }

    private static let day = 86_400_000
    /// The simulated third night.
    private static let now = 1_795_312_800_000

    @Test(
        "A request that Apple refuses gets Apple's error code",
        arguments: [
            (body: "", code: 4_000_000), ("[]", 4_000_000), ("{}", 4_000_015),
            (#"{"startDate":1,"startDate":2,"endDate":3}"#, 4_000_000),
            (#"{"startDate":"1","endDate":3}"#, 4_000_015),
            (#"{"startDate":\#(now),"endDate":null}"#, 4_000_016),
            (#"{"startDate":\#(now),"endDate":\#(now - 1)}"#, 4_000_013),
            (#"{"startDate":\#(now - 180 * day),"endDate":\#(now)}"#, 4_000_012),
            (#"{"startDate":\#(now),"endDate":\#(now),"notificationType":"NONE"}"#, 4_000_018),
            (#"{"startDate":\#(now),"endDate":\#(now),"notificationType":null}"#, 4_000_000),
            (#"{"startDate":\#(now),"endDate":\#(now),"onlyFailures":"yes"}"#, 4_000_000),
            (#"{"startDate":\#(now),"endDate":\#(now),"limit":5}"#, 4_000_000),
            (
                #"{"startDate":\#(now),"endDate":\#(now),"notificationType":"REFUND","#
                    + #""transactionId":"1"}"#, 4_000_019
            ),
        ])
    func refusals(body: String, code: Int) throws {
        #expect(Self.now == store.now.milliseconds)
        #expect(try teller.code(Self.path, method: "POST", body: body) == code)
    }

    @Test("A page's token serves the same request of the same app only")
    func tokens() throws {
        let body = body()
        let token = try #require(try teller.notices(body).paginationToken)
        let target = Self.path + "?paginationToken="
        let others = [self.body(#","onlyFailures":true"#), self.body(from: 178), body + " "]
        for other in others {
            #expect(try teller.code(target + token, method: "POST", body: other) == 4_000_014)
        }
        for wrong in ["x", token + "A", ""] {
            #expect(try teller.code(target + wrong, method: "POST", body: body) == 4_000_014)
        }
        var lumen = teller
        lumen.app = .lumen
        #expect(try lumen.code(target + token, method: "POST", body: body) == 4_000_014)
    }
}
