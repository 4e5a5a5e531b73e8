import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with the lines of an answer, and the newest transaction that is sighted.
@Suite("Who paid for a shared purchase")
struct PayerTests {
    struct Sighted: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let receipt: ShownReceipt
        let transaction: TransactionID?
        let token: String?
    }

    private static func pro(_ id: TransactionID, bought: Double, token: String?) -> ShownLine {
        let line = ShownLine.pro(bought: bought, id: id, original: "1")
        return token.map { line.signed(.token($0)) } ?? line
    }

    @Test(
        "Of the transactions that the App Store Server API shows the newest names the account",
        arguments: [
            Sighted(
                testDescription: "one", receipt: .customer(pro("5", bought: -10, token: "Ann")),
                transaction: "5", token: "Ann"),
            Sighted(
                testDescription: "the newer of two",
                receipt: .customer(
                    pro("5", bought: -40, token: "ann"), pro("6", bought: -10, token: "bob")),
                transaction: "6", token: "bob"),
            Sighted(
                testDescription: "in the other order",
                receipt: .customer(
                    pro("6", bought: -10, token: "bob"), pro("5", bought: -40, token: "ann")),
                transaction: "6", token: "bob"),
            Sighted(
                testDescription: "the newest names none",
                receipt: .customer(
                    pro("5", bought: -40, token: "ann"), pro("6", bought: -10, token: nil)),
                transaction: "6", token: nil),
            Sighted(
                testDescription: "bought after the judgement",
                receipt: .customer(
                    pro("5", bought: -10, token: "ann"), pro("6", bought: 0.1, token: "bob")),
                transaction: "5", token: "ann"),
            Sighted(
                testDescription: "verifyReceipt alone", receipt: .answer(.pro(bought: -10)),
                transaction: nil, token: nil),
        ])
    func newest(row: Sighted) {
        let judgement = Judge.acme.judgement([row.receipt], rows: [.pro(until: 20)])
        let newest = judgement.purchases.map(\.newest)
        #expect(newest.map { $0?.transaction } == [row.transaction])
        #expect(newest.map { $0?.accountToken } == [row.token])
    }

    @Test("The sentence of the others names the token, and the user whose it is, as the payer")
    func sentence() {
        let grant = PurchaseSighting.Grant(
            entitlement: "e1", receipt: "r1", source: .serverAPI, product: "pro.monthly",
            transaction: "9", state: .active, bundle: "acme")
        let shared = SharedPurchase(
            user: "ann", originalID: "8", grant: grant, users: 2, otherUser: "abe", payer: "bob",
            token: "BOB")
        let sentence = shared.finding.explanation
        #expect(sentence.contains("the receipts of 2 users, the other being bob: Apple's record"))
        #expect(
            sentence.hasSuffix("names the account BOB as the one that paid, which is user bob."))
        #expect(shared.finding.source == .serverAPI)
    }
}
