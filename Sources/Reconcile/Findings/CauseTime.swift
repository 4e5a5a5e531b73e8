enum CauseTime {
    static let never: @Sendable (RowCase) -> Instant? = { _ in nil }
    /// The end of the right; for a revoked right, the cancellation.
    static let end: @Sendable (RowCase) -> Instant? = { $0.best?.endsAt }
    /// The latest of the end, a grace period's end and any cancellation in the chain or stack.
    static let gone: @Sendable (RowCase) -> Instant? = { $0.best?.goneAt }
    static let bought: @Sendable (RowCase) -> Instant? = { $0.best?.covering.purchasedAt }
    static let expiry: @Sendable (RowCase) -> Instant? = { $0.best?.covering.expiresAt }
    static let row: @Sendable (RowCase) -> Instant? = { $0.row?.updatedAt }
}
