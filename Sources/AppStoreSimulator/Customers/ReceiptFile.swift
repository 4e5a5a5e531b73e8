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
