extension FindingKind {
    /// A receipt that Apple signed and Apple's answer to it cannot both be true.
    static let receiptContradictsAnswer = FindingKind(
        "receipt_contradicts_answer", .medium, .none, in: .receipts, action: .investigate)
}

extension FactRule {
    static let receiptContradictsAnswer = ofReceipts(
        .receiptContradictsAnswer, from: .transactions
    ) { receipt, _ in
        guard let answer = receipt.verified?.receipt, let first = receipt.contradictions.first
        else { return nil }
        let others =
            receipt.contradictions.count > 1
            ? " (and \(receipt.contradictions.count - 1) more)" : ""
        return "By Apple's own signature \(receipt.named) \(first.inWords(with: answer))\(others):"
            + " both cannot be true."
    }
}

extension Contradiction {
    fileprivate func inWords(with answer: Receipt) -> String {
        switch self {
        case .bundle(let signed):
            "is of the app \(signed), and Apple's answer of \(answer.bundle)"
        case .product(let id, let signed, let answered):
            "has \(signed) in transaction \(id), and Apple's answer \(answered)"
        case .purchaseDate(let id, let signed, let answered):
            "has transaction \(id) bought at \(signed), and Apple's answer at \(answered)"
        case .cancellation(let id, let signed):
            "has transaction \(id) cancelled at \(signed), and Apple's answer has it not cancelled"
        }
    }
}
