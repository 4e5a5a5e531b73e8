import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with what each user's answers show of the purchase, and who is reported.
@Suite("A purchase that several users show", .database, .hangLimit)
struct SharedPurchaseTests: DatabaseSuite {
    /// What a user's answers show of the purchase; both are granted it.
    struct Shown: Sendable {
        let user: UserID
        /// Of the App Store Server API's answers; nil where only verifyReceipt was asked.
        var newest: PurchaseSighting.Newest?

        static func by(_ user: UserID) -> Shown { Shown(user: user) }

        static func by(
            _ user: UserID, newest id: TransactionID, bought: Double, token: String?
        ) -> Shown {
            Shown(
                user: user,
                newest: .init(transaction: id, purchasedAt: .day(bought), accountToken: token))
        }

        fileprivate var judged: JudgedUser {
            var judged = JudgedUser.test(user)
            let grant = PurchaseSighting.Grant(
                entitlement: EntitlementID("e-\(user)"), receipt: ReceiptID("r-\(user)"),
                source: newest == nil ? .verifyReceipt : .serverAPI, product: "pro.monthly",
                transaction: "9", state: .active, bundle: "acme")
            judged.purchases = [
                PurchaseSighting(user: user, originalID: "8", grant: grant, newest: newest)
            ]
            return judged
        }
    }

    struct Sharing: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let shown: [Shown]
        let reported: [UserID]
        /// In the sentences of those who are reported.
        var names: String?
    }

    @Test(
        "The user whose account the newest transaction names is not reported, and the others are",
        arguments: [
            Sharing(
                testDescription: "no token", shown: [.by("ann"), .by("bob")],
                reported: ["ann", "bob"]),
            Sharing(
                testDescription: "a token of one of them",
                shown: [.by("ann", newest: "9", bought: -9, token: "bob"), .by("bob")],
                reported: ["ann"], names: "account bob as the one that paid, which is user bob"),
            Sharing(
                testDescription: "a token in other letters",
                shown: [.by("ann", newest: "9", bought: -9, token: "BOB"), .by("bob")],
                reported: ["ann"], names: "account BOB as the one that paid, which is user bob"),
            Sharing(
                testDescription: "one's own token",
                shown: [.by("ann", newest: "9", bought: -9, token: "ann"), .by("bob")],
                reported: ["bob"]),
            Sharing(
                testDescription: "a token of nobody who shows it",
                shown: [.by("ann", newest: "9", bought: -9, token: "zoe"), .by("bob")],
                reported: ["ann", "bob"]),
            Sharing(
                testDescription: "of two tokens that of the newer transaction",
                shown: [
                    .by("ann", newest: "9", bought: -9, token: "ann"),
                    .by("bob", newest: "10", bought: -2, token: "bob"),
                ], reported: ["ann"]),
            Sharing(
                testDescription: "a newer transaction without a token",
                shown: [
                    .by("ann", newest: "9", bought: -9, token: "ann"),
                    .by("bob", newest: "10", bought: -2, token: nil),
                ], reported: ["ann", "bob"]),
            Sharing(
                testDescription: "at one instant the greater id, as a number",
                shown: [
                    .by("ann", newest: "9", bought: -9, token: "ann"),
                    .by("bob", newest: "10", bought: -9, token: "bob"),
                ], reported: ["ann"]),
        ])
    func payer(sharing: Sharing) async throws {
        let batches = try await night(["r1": "ann", "r2": "bob"], usersPerBatch: 9)
        let records = sharing.shown.map { UserRecord.judged(Reference($0.judged)) }
        try await record(BatchFlush(batch: batches[0], records: records, isDone: true))
        try await database.ledger.settle(.test(), guards: .off) { $0 }
        var found: [Finding] = []
        for try await page in database.reports.findings(of: run, in: .mismatches) {
            found += page.map(\.finding)
        }
        #expect(found.map(\.user) == sharing.reported)
        #expect(found.allSatisfy { $0.kind == .sharedOriginalTransaction })
        if let names = sharing.names {
            #expect(found.map { $0.explanation.contains(names) } == [true])
        }
        let sources = sharing.shown.filter { sharing.reported.contains($0.user) }.map { shown in
            shown.newest == nil ? AnswerSource.verifyReceipt : .serverAPI
        }
        #expect(found.map(\.source) == sources)
    }
}
