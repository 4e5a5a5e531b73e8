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

    /// A user's part in the ids of rows.
    func tag(of user: String) -> String {
        let digits = String(number + 1)
        let padded = String(repeating: "0", count: max(0, 7 - digits.count)) + digits
        return padded + (user == users.first ? "" : "-second")
    }

    func flaw(on night: Int) -> Flaw {
        if night < wrongFrom { return .none }
        if let correctedFrom, night >= correctedFrom { return .none }
        return card.flaw
    }
}
