import Testing

@testable import Reconcile

/// One user's receipts and rows, and the complete outcome of judging them.
struct AnsweredCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let receipts: [ReceiptEvidence]
    let rows: [StoredEntitlement]
    let expected: [String]

    /// - Parameter expected: the words of `Judgement.outcome`, in any order.
    init(
        _ title: String, _ receipts: [ReceiptEvidence], _ rows: StoredEntitlement...,
        is expected: String...
    ) {
        self.init(title, receipts, rows, expected: expected)
    }

    init(
        _ title: String, _ receipts: [ReceiptEvidence], _ rows: [StoredEntitlement],
        expected: [String]
    ) {
        testDescription = title
        self.receipts = receipts
        self.rows = rows
        self.expected = expected
    }

    func judgement(by catalog: Catalog = .acme) -> Judgement {
        Judge(catalog: catalog, settings: JudgingSettings(asOf: .asOf))
            .judgement(of: receipts, rows)
    }

    func check(by catalog: Catalog = .acme) {
        let judgement = self.judgement(by: catalog)
        #expect(judgement.outcome == expected.sorted())
        #expect(judgement.entitlements.isBalanced)
    }
}

extension Judgement {
    /// Every finding as its kind and its row, if it has one, and every row without a finding by its
    /// bucket; sorted.
    var outcome: [String] {
        let tally = entitlements
        let told = findings.map { finding in
            finding.kind.rawValue + (finding.entitlement.map { " \($0)" } ?? "")
        }
        let buckets = [
            "consistent": tally.consistent, "settling": tally.settling,
            "unverified": tally.unverified, "not_judged": tally.notJudged,
        ].flatMap { Array(repeating: $0.key, count: $0.value) }
        return (told + buckets).sorted()
    }

    /// The amount and currency of the only finding of `kind`; `-` without an amount.
    func amount(of kind: FindingKind) throws -> String {
        let found = findings.filter { $0.kind == kind }
        #expect(found.count == 1)
        let finding = try #require(found.first)
        let amount = finding.estimate?.amount
        return amount.map { "\($0.text) \($0.currency.code)" } ?? "-"
    }
}
