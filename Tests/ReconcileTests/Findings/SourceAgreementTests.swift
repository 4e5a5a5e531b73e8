import Testing

@testable import Reconcile

/// A stored receipt with what the sources answered. To add a case, copy one.
private struct Answered: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var verifyReceipt: Receipt?
    var serverAPI: Receipt?
    /// Nil: verified.
    var unverified: Unverified?
    let expected: SourceAgreement

    var evidence: ReceiptEvidence {
        let answers = [(ReceiptProof.serverAPI, serverAPI), (.verifyReceipt, verifyReceipt)]
            .compactMap { proof, receipt in
                receipt.map {
                    VerifiedReceipt(id: "r", storedBundle: "acme", receipt: $0, proof: proof)
                }
            }
        let first = verifyReceipt ?? serverAPI
        return ReceiptEvidence(
            id: "r", bundle: "acme", storedAt: .day(-5),
            validation: unverified.map { .unverified($0) } ?? .verified(first ?? .showing()),
            answers: answers)
    }

    private static let bought = Receipt.showing(.once("1", "unlock", bought: -10))
    private static let boughtLater = Receipt.showing(.once("1", "unlock", bought: -9))

    static let all = [
        Answered(
            testDescription: "both tell the same", verifyReceipt: bought, serverAPI: bought,
            expected: SourceAgreement(agree: 1)),
        Answered(
            testDescription: "they tell otherwise", verifyReceipt: bought, serverAPI: boughtLater,
            expected: SourceAgreement(differ: 1)),
        Answered(
            testDescription: "verifyReceipt alone", verifyReceipt: bought,
            expected: SourceAgreement()),
        Answered(
            testDescription: "the App Store Server API alone", serverAPI: bought,
            expected: SourceAgreement()),
        Answered(
            testDescription: "one of the customers is not known", verifyReceipt: bought,
            serverAPI: boughtLater, unverified: .unknownTransaction, expected: SourceAgreement()),
    ]
}

@Suite("The agreement of two sources")
struct SourceAgreementTests {
    @Test("A receipt counts once, if both sources verified it", arguments: Answered.all)
    private func counts(answered: Answered) {
        let judgement = Judge.acme.judgement(of: [answered.evidence], [])
        #expect(judgement.sourceAgreement == answered.expected)
        let differing = judgement.findings.filter { $0.kind == .sourcesDisagree }.count
        #expect(differing == answered.expected.differ)
    }
}
