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

struct ReceiptFile: Sendable {
    enum Form: String, Sendable, CaseIterable {
        /// What Apple issued: PKCS#7, or a property list for an iOS 6 client.
        case genuine
        case signedTransaction, xcode, garbage, empty
    }

    /// Damage to the base64 in transit.
    enum Damage: String, Sendable, CaseIterable {
        case none, wrapped, spaces, urlSafe, unpadded
    }

    /// Among the customer's receipts, from 1.
    let number: Int
    let user: String
    /// Index in the customer's accounts.
    let account: Int
    let bundle: String
    var form = Form.genuine
    var damage = Damage.none
    let storedAt: Moment
}
