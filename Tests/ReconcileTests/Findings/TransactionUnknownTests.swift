import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A stored transaction that Apple does not know")
struct TransactionUnknownTests {
    private static let second = 1.0 / 86_400

    @Test(
        "It is a finding when the row is older than 72 hours",
        arguments: [
            (label: "just stored", stored: -0.1, isFound: false), ("72 hours", -3, false),
            ("a second more", -3 - second, true), ("a year", -365, true),
            ("stored after the judgement", 0.1, false),
        ])
    func age(label: String, stored: Double, isFound: Bool) {
        let judgement = Judge.acme.judgement([.unknown(stored: stored)])
        #expect(judgement.kinds.contains(.transactionUnknown) == isFound)
    }

    @Test("It is the receipt's, and of the App Store Server API")
    func named() throws {
        let finding = try Judge.acme.judgement([.unknown(stored: -5)]).only(.transactionUnknown)
        ExpectedFinding(
            kind: .transactionUnknown, severity: .medium, direction: .none, action: .investigate,
            receipt: "r1", bundle: "acme", reference: "r1"
        ).check(finding)
        #expect(finding.source == .serverAPI)
        #expect(finding.explanation.contains("in neither environment, more than 72 hours after"))
    }

    @Test(
        "Any other cause is none",
        arguments: [
            Unverified.timeout, .apiKeyRejected, .answerTooLong, .noAPIKey, .offline,
        ])
    func otherCause(cause: Unverified) {
        let receipt = ShownReceipt(stored: -90, reply: .none(.unverified(cause)))
        #expect(!Judge.acme.judgement([receipt]).kinds.contains(.transactionUnknown))
    }
}
