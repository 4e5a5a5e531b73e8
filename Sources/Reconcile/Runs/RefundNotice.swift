/// A notice of Apple's to the server of an app, as the sweep of refund notices reads it.
package struct RefundNotice: Sendable {
    /// Raw values are Apple's `notificationType`.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case refund = "REFUND"
        case refundReversed = "REFUND_REVERSED"
        case revoke = "REVOKE"
    }

    let kind: Kind
    let transaction: TransactionID
    let signedAt: Instant
    /// When Apple took the purchase back.
    let revokedAt: Instant?
    /// Whether no attempt to deliver it succeeded.
    let isMissed: Bool
    /// The `signedPayload` of a refund as received; nil of other kinds.
    let payload: [UInt8]?
}

/// The notices of one kind about an app in a time.
package struct NoticeWindow: Hashable, Sendable {
    let bundle: BundleID
    let kind: RefundNotice.Kind
    let from: Instant
    let to: Instant
}
