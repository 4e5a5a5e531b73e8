extension FindingKind {
    static let receiptContradictsAnswer = FindingKind(
        "receipt_contradicts_answer", .medium, .none, in: .receipts, action: .investigate)
}

extension FactRule {
    static let receiptContradictsAnswer = ofReceipts(
        .receiptContradictsAnswer, from: .transactions, of: .verifyReceipt
    ) { receipt, user in
        guard receipt.validation.isVerified,
            let verified = receipt.answer(of: .verifyReceipt) ?? receipt.verified
        else { return nil }
        // Hardly any receipt has a contradiction, so only then are words made.
        func sentence(
            _ signed: @autoclosure () -> String, _ points: [Contradiction]
        ) -> String? {
            guard let first = points.first else { return nil }
            let others = points.count > 1 ? " (and \(points.count - 1) more)" : ""
            let point = first.inWords(with: verified.receipt)
            return "By Apple's own signature \(signed()) \(point)\(others): both cannot be true."
        }
        let missing = verified.isRightGiving ? user.missing(of: receipt) : []
        let contradictions =
            receipt.contradictions + missing.map { .purchase($0.id, of: $0.product) }
        return sentence(receipt.named, contradictions)
            ?? sentence(
                "the latest_receipt in the answer to \(receipt.named)",
                receipt.answerContradictions)
    }
}

extension UserCase {
    /// What the receipt shows and no answer about it has.
    fileprivate func missing(of receipt: ReceiptEvidence) -> [KnownPurchase] {
        receipt.unanswered.filter { purchase in
            let isForGood = catalog.kind(of: purchase) == .nonConsumable
            return !receipt.answers.contains {
                $0.receipt.shows(purchase, isForGood: isForGood)
            }
        }
    }
}

extension UserHistory {
    /// Whether a contradiction is open: only another check of the signatures can clear it.
    var hasContradictedAnswer: Bool {
        open.contains { $0.identity.kind == .receiptContradictsAnswer }
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
        case .purchase(let id, let product):
            "has transaction \(id) of \(product), which still runs, and Apple's answer lacks it"
        case .expiry(let id, let signed, let answered):
            "has transaction \(id) expire at \(signed), and Apple's answer at \(answered)"
        case .noCancellation(let id, let answered):
            "has transaction \(id) not cancelled, and Apple's answer has it cancelled at"
                + " \(answered)"
        case .notSigned(let id):
            "has no transaction \(id), and Apple's answer has"
        }
    }
}
