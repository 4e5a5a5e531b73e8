import Testing

@testable import Reconcile
@testable import TestSupport

/// Damaged answers of the App Store Server API: none traps, and what is read is what is there.
/// To add a case: a `FuzzPlan` with the inputs to damage, and the outcomes that must be frequent;
/// or a word.
@Suite("Random answers of the App Store Server API")
struct APIFuzzTests {
    private static let words: [[UInt8]] = [
        "signedTransactions", "hasMore", "revision", "data", "lastTransactions", "status",
        "signedRenewalInfo", "signedAppTransactionInfo", "errorCode", "null", "true", "false", "[",
        "]", "{", "}", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "1e999", "-0.5", "é", " ",
        "\u{0}",
    ].map { Array($0.utf8) }

    private enum Body { case noJSON, incomplete, page, subscriptions, app }

    @Test("A body is read as it is, or as none")
    func bodies() throws {
        let signed = [Array("a.b.c".utf8), Array("d.e.f".utf8)]
        let wholes = [
            APIBody.history(signed, before: "r1"), APIBody.history([]),
            APIBody.subscriptions([(signed[0], 1), (signed[1], 5)]), APIBody.app(signed[0]),
            APIBody.error(4_040_010),
        ].map { Array($0.utf8) }
        let plan = FuzzPlan("api-answers", executions: 10_000)
        try plan.run(atLeast: 3, of: Body.noJSON, .incomplete, .page, .subscriptions, .app) {
            generator in
            var bytes = generator.one(of: wholes)
            bytes.mutate(generator.number(below: 4), with: Self.words, &generator)
            _ = APIAnswer.errorCode(bytes)
            guard let root = try? JSONNode(bytes) else { return .noJSON }
            #expect(Differential.error(in: bytes) == nil, "\(bytes)")
            if let page = try? APIAnswer.page(root) {
                #expect(page.next != "", "\(bytes)")
                #expect(page.transactions.allSatisfy { $0.count <= bytes.count }, "\(bytes)")
                return .page
            }
            if let all = try? APIAnswer.subscriptions(root) {
                #expect(all.allSatisfy { $0.renewal.count <= bytes.count }, "\(bytes)")
                return .subscriptions
            }
            return (try? APIAnswer.appTransaction(root)) == nil ? .incomplete : .app
        }
    }

    private enum History { case empty, setAside, read }

    /// What is read does not depend on the order of different transactions, and reading the same
    /// payloads again changes nothing.
    @Test("Payloads of any content make one history, and each counts once")
    func histories() throws {
        let wholes = [
            PayloadJSON.transaction, .renewal, .appTransaction,
            PayloadJSON.transaction.with("transactionId", #""7""#).without("expiresDate"),
        ].map { Array($0.text.utf8) }
        let plan = FuzzPlan("api-histories", executions: 10_000)
        try plan.run(atLeast: 1, of: History.empty, .setAside, .read) { generator in
            let count = 1 + generator.number(below: 4)
            let payloads = (0..<count).compactMap { _ -> SignedPayload? in
                var bytes = generator.one(of: wholes)
                bytes.mutate(generator.number(below: 3), with: Self.words, &generator)
                return SignedPayload(bytes)
            }
            let receipt = Self.history(payloads)
            let twice = Self.history(payloads + payloads)
            #expect(twice.transactions == receipt.transactions)
            let ids = receipt.transactions.map(\.id)
            #expect(Set(ids).count == ids.count)
            let reversed = Self.history(payloads.reversed())
            #expect(Set(reversed.transactions.map(\.id)) == Set(ids))
            if receipt.transactions.isEmpty {
                return receipt.anomalies.isEmpty ? .empty : .setAside
            }
            return .read
        }
    }

    private static func history(_ payloads: [SignedPayload]) -> Receipt {
        var history = SignedHistory()
        for payload in payloads { history.add(payload, as: payload.kind) }
        return history.receipt(of: "acme", in: .production)
    }

    private enum Evidence { case none, read }

    @Test("Evidence with any bytes is read, or is none")
    func evidence() throws {
        let line = JWSForge().text() + [UInt8(ascii: "\n")]
        let whole = line + JWSForge().text(.renewal) + [UInt8(ascii: "\n")] + line
        let plan = FuzzPlan("api-evidence", executions: 3_000)
        try plan.run(atLeast: 5, of: Evidence.none, .read) { generator in
            var bytes = whole
            bytes.mutate(generator.number(below: 3), with: Self.words + [[10]], &generator)
            let body = AnswerBody(bytes: bytes, server: .serverAPI)
            guard let history = ServerAPI.history(in: body) else { return .none }
            #expect(history.environment == .production)
            return .read
        }
    }
}
