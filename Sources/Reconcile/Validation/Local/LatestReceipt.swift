/// `latest_receipt`: the receipt that Apple signs as it answers, in the answer itself. Only answers
/// about auto-renewable subscriptions have one.
/// <https://developer.apple.com/documentation/appstorereceipts/responsebody/latest_receipt>
package struct LatestReceipt: Equatable, Sendable {
    /// PKCS#7 in DER where it is Apple's; empty where it is no base64.
    package let bytes: [UInt8]

    /// Nil where `body`, an answer of Apple's, has none.
    package init?(in body: [UInt8]) {
        guard let text = VerifyReceiptAnswer.latestReceipt(in: body), !text.isEmpty else {
            return nil
        }
        bytes = Base64.decode(text)?.bytes ?? []
    }
}

/// Apple's own signature on an answer that is kept, or that a finding stands on.
struct AnswerSignature: Equatable, Sendable {
    /// Whether Apple signed what the answer says, as it answered. False: the answer carries a
    /// `latest_receipt` that is not Apple's, not of that time, or contradicts it.
    var isSigned = false
    /// Where the two cannot both be true.
    var contradictions: [Contradiction] = []
    /// The receipt, where Apple signed it as it answered, and when.
    var fresh: (bytes: [UInt8], madeAt: Instant)?

    static func == (one: AnswerSignature, other: AnswerSignature) -> Bool {
        one.isSigned == other.isSigned && one.contradictions == other.contradictions
            && one.fresh?.bytes == other.fresh?.bytes && one.fresh?.madeAt == other.fresh?.madeAt
    }
}

/// Checks what Apple signed beside what it answered.
struct AnswerSignatureCheck: Sendable {
    private let trust: SignerTrust

    /// How far apart the two may have been made. Of 75 real ones all are within a minute.
    private static let longestApart: Int64 = 3_600_000

    init(_ roots: TrustedRoots) { trust = SignerTrust(roots) }

    /// Nil where the answer carries no `latest_receipt`.
    /// - Parameter answer: what was read from `body`.
    func signature(on body: [UInt8], sayingThat answer: Receipt) -> AnswerSignature? {
        guard let latest = LatestReceipt(in: body) else { return nil }
        var signature = AnswerSignature()
        guard let signed = try? SignedData(latest.bytes),
            let payload = try? ReceiptPayload(signed.content), let madeAt = payload.createdAt,
            trust.isApples(signed, signedAt: madeAt)
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
    /// Names in what Apple signed may be anything, and the database may not take them.
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
    /// What two statements of one moment cannot say, in the order of the answer: another expiry, a
    /// cancellation in one of them only, a transaction that is not signed.
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
