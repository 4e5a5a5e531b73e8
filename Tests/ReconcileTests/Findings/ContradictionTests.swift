import Testing

@testable import Reconcile

@Suite("A receipt that contradicts Apple's answer")
struct ContradictionTests {
    private func findings(
        _ validation: Validation, _ contradictions: [Contradiction]
    ) -> [Finding] {
        var evidence = ReceiptEvidence.stored(validation)
        evidence.contradictions = contradictions
        return Judge.acme.judgement(of: [evidence], []).findings.filter {
            $0.kind == .receiptContradictsAnswer
        }
    }

    @Test(
        "Each contradicting receipt gives one finding, whose explanation names both sides",
        arguments: [
            (.bundle(signed: "acme.old"), "is of the app acme.old, and Apple's answer of acme:"),
            (
                .product(of: "7", signed: "a", answered: "b"),
                "has a in transaction 7, and Apple's answer b:"
            ),
            (
                .purchaseDate(of: "7", signed: .init(milliseconds: 0), answered: .asOf),
                "has transaction 7 bought at 1970-01-01T00:00:00Z, and Apple's answer at"
            ),
            (
                .cancellation(of: "7", signed: .init(milliseconds: 0)),
                "cancelled at 1970-01-01T00:00:00Z, and Apple's answer has it not cancelled:"
            ),
        ] as [(Contradiction, String)])
    func isAFinding(contradiction: Contradiction, words: String) throws {
        let found = findings(.verified(.showing()), [contradiction])
        let finding = try #require(found.first)
        #expect(found.count == 1)
        #expect(finding.severity == .medium && finding.direction == .none)
        #expect(finding.kind.file == .receipts)
        #expect(finding.receipt == "r1" && finding.reference == "r1")
        #expect(finding.explanation.contains(words), "\(finding.explanation)")
        let two = try #require(
            findings(.verified(.showing()), [contradiction, .bundle(signed: "x")]).first)
        #expect(two.explanation.contains("(and 1 more): both cannot be true."))
    }

    @Test("Without a contradiction or without an answer there is no finding")
    func isNone() {
        #expect(findings(.verified(.showing()), []).isEmpty)
        #expect(findings(.unverified(.timeout), [.bundle(signed: "x")]).isEmpty)
    }
}
