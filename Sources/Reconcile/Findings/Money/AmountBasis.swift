/// What an amount was calculated from. Raw values are the reports' `amount_basis`.
enum AmountBasis: String, Hashable, Sendable, CaseIterable {
    /// What Apple recorded of the transaction, after offers.
    case recordedPrice = "recorded_price"
    /// The catalogue's.
    case listPrice = "list_price"
}
