/// Receipts that Apple signed, and that Apple's answers contradict (SPEC §5, second table).
extension Account {
    func contradictionFindings() -> [Finding] {
        evidence.receipts.compactMap { evidence in
            guard case .verified(let answer) = evidence.validation,
                let first = evidence.contradictions.first
            else { return nil }
            let kind = FindingKind.receiptContradictsAnswer
            var finding = Finding(
                kind: kind, severity: kind.severity ?? .medium, direction: kind.direction ?? .none,
                user: self.evidence.user,
                explanation: Self.explanation(
                    first, among: evidence.contradictions.count, of: evidence, answer),
                reference: evidence.id.text)
            finding.receipt = evidence.id
            finding.bundle = answer.bundle
            finding.environment = answer.environment
            return finding
        }
    }

    private static func explanation(
        _ contradiction: Contradiction, among count: Int, of evidence: ReceiptEvidence,
        _ answer: Receipt
    ) -> String {
        let receipt = "receipt \(evidence.id), stored \(evidence.storedAt) for \(evidence.bundle),"
        let others = count > 1 ? " (and \(count - 1) more)" : ""
        let what =
            switch contradiction {
            case .bundle(let signed):
                "is of the app \(signed), and Apple's answer of \(answer.bundle)"
            case .product(let id, let signed, let answered):
                "has \(signed) in transaction \(id), and Apple's answer \(answered)"
            case .purchaseDate(let id, let signed, let answered):
                "has transaction \(id) bought at \(signed), and Apple's answer at \(answered)"
            case .cancellation(let id, let signed):
                "has transaction \(id) cancelled at \(signed), and Apple's answer has it not"
                    + " cancelled"
            }
        return "By Apple's own signature \(receipt) \(what)\(others): both cannot be true."
    }
}
