struct Customer: Sendable {
    let number: Int
    let card: Card
    var accounts: [AppAccount] = []
    /// Several when users of the service share an Apple account.
    var users: [String]
    /// In the order in which they were stored.
    var receipts: [ReceiptFile] = []
    /// The night from which the service's mistake is corrected; nil: never.
    var correctedFrom: Int?
    /// The first night on which the mistake is visible.
    var wrongFrom = 1

    func flaw(on night: Int) -> Flaw {
        if night < wrongFrom { return .none }
        if let correctedFrom, night >= correctedFrom { return .none }
        return card.flaw
    }
}
