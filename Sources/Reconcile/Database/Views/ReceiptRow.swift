/// One row of `stored_receipts`: good, or not to be sent.
enum ReceiptRow: Sendable {
    case valid(StoredReceipt)
    case invalid(InvalidStoredReceipt)

    /// Columns: receipt, user, bundle, time of storing, receipt data.
    init(_ row: borrowing PostgresRow) throws(PostgresError) {
        let id: ReceiptID? = row.optionalID(0)
        let user: UserID? = row.optionalID(1)
        let bundle: BundleID? = row.optionalID(2)
        let storedAt = try row.optionalInstant(3)
        if let id, let user, let bundle, let storedAt, let text = row.optionalBytes(4) {
            self = .valid(
                StoredReceipt(
                    id: id, user: user, bundle: bundle, data: ReceiptData(text: text),
                    storedAt: storedAt))
        } else {
            self = .invalid(InvalidStoredReceipt(id: id, user: user, bundle: bundle))
        }
    }

    var user: UserID? {
        switch self {
        case .valid(let receipt): receipt.user
        case .invalid(let receipt): receipt.user
        }
    }

    /// Of the receipt data.
    var byteCount: Int {
        switch self {
        case .valid(let receipt): receipt.data.text.count
        case .invalid: 0
        }
    }
}
