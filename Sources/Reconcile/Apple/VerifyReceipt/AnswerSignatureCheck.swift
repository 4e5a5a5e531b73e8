/// Compares an answer with the `latest_receipt` that Apple signed in it.
struct AnswerSignatureCheck: Sendable {
    private let apple: AppleSignature

    /// Milliseconds between `latest_receipt` and answer; below a minute in 75 real answers.
    private static let longestApart: Int64 = 3_600_000

    init(_ apple: AppleSignature) { self.apple = apple }

    /// Nil when the answer has no `latest_receipt`.
    /// - Parameter answer: the receipt parsed from `body`.
    func signature(on body: [UInt8], sayingThat answer: Receipt) -> AnswerSignature? {
        guard let latest = LatestReceipt(in: body) else { return nil }
        var signature = AnswerSignature()
        guard let signed = try? SignedData(latest.bytes),
            let payload = try? ReceiptPayload(signed.content), let madeAt = payload.createdAt,
            apple.isOn(.app(signed, payload))
        else { return signature }
        signature.contradictions = payload.contradictions(with: answer)
        guard let askedAt = answer.requestedAt,
            abs(madeAt.milliseconds - askedAt.milliseconds) <= Self.longestApart
        else { return signature.withStorableTexts }
        signature.contradictions += payload.freshContradictions(with: answer)
        signature.isSigned = signature.contradictions.isEmpty
        signature.fresh = (latest.bytes, madeAt)
        return signature.withStorableTexts
    }
}

extension AnswerSignature {
    /// Replaces non-ASCII and control characters: PostgreSQL does not accept every signed name.
    fileprivate var withStorableTexts: AnswerSignature {
        var signature = self
        signature.contradictions = contradictions.map { contradiction in
            switch contradiction {
            case .bundle(let signed): .bundle(signed: signed.printable)
            case .product(let id, let signed, let answered):
                .product(of: id, signed: signed.printable, answered: answered)
            default: contradiction
            }
        }
        return signature
    }
}

extension Identifier {
    fileprivate var printable: Identifier {
        Identifier(
            String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? $0 : "?" })))
    }
}

extension ReceiptPayload {
    /// Differences that are contradictions only between facts of one time, in the answer's order.
    fileprivate func freshContradictions(with answer: Receipt) -> [Contradiction] {
        let signed = Dictionary(
            purchases.compactMap { purchase in purchase.transaction.map { ($0, purchase) } },
            uniquingKeysWith: { first, _ in first })
        return answer.transactions.filter { $0.isInLatest && $0.expiresAt != nil }
            .flatMap { transaction -> [Contradiction] in
                guard let purchase = signed[transaction.id] else {
                    return [.notSigned(transaction.id)]
                }
                var found: [Contradiction] = []
                if let ours = purchase.expiresAt, let theirs = transaction.expiresAt,
                    abs(ours.milliseconds - theirs.milliseconds) >= 1_000
                {
                    found.append(.expiry(of: transaction.id, signed: ours, answered: theirs))
                }
                if let cancelledAt = transaction.cancelledAt, purchase.cancelledAt == nil {
                    found.append(.noCancellation(of: transaction.id, answered: cancelledAt))
                }
                return found
            }
    }
}
