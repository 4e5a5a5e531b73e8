/// One customer of the simulated team: an Apple account, and the users that the service knows it
/// by.
struct Customer: Sendable {
    let number: Int
    let card: Card
    var accounts: [AppAccount] = []
    /// More than one where an Apple account was used with several accounts of the service.
    var users: [String]
    /// By the order in which they were stored.
    var receipts: [ReceiptFile] = []
    /// The night from which the service's mistake is mended; nil: never.
    var mendedFrom: Int?
    /// The first night on which it is seen.
    var wrongFrom = 1

    /// The mistake that the service makes on `night`.
    func flaw(on night: Int) -> Flaw {
        if night < wrongFrom { return .none }
        if let mendedFrom, night >= mendedFrom { return .none }
        return card.flaw
    }
}

/// A receipt as the service stored it.
struct ReceiptFile: Sendable {
    enum Form: String, Sendable, CaseIterable {
        /// What Apple gave: PKCS#7, or for an iOS 6 client a property list.
        case genuine
        case signedTransaction, xcode, garbage, empty
    }

    /// What happened to the base64 on its way.
    enum Damage: String, Sendable, CaseIterable {
        case none, wrapped, spaces, urlSafe, unpadded
    }

    /// Counts the receipts of a customer from 1.
    let number: Int
    let user: String
    /// The index of the account in the customer's.
    let account: Int
    /// The app for which the service stored it.
    let bundle: String
    var form = Form.genuine
    var damage = Damage.none
    let storedAt: Moment
}
