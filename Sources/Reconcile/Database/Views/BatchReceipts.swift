/// The stored receipts of a batch, as they were when they were read.
package struct BatchReceipts: Sendable {
    /// By user, in the views' collation.
    package let valid: [StoredReceipt]
    /// Rows with a null where none may be; evidence is missing for their users.
    package let invalid: [InvalidStoredReceipt]
    package let snapshot: ReceiptSnapshot

    /// The batch's receipts in scope.
    package var count: Int { valid.count + invalid.count }
}

/// What tells later whether anything was stored since a batch was read.
package struct ReceiptSnapshot: Sendable {
    /// Taken before the rows were read. Nil for the batch without users.
    let digest: ReceiptDigest?
    let stamps: Set<ReceiptStamp>
}

/// A number that is another when a receipt of the batch is.
struct ReceiptDigest: Hashable, Sendable {
    let number: String
    /// From when on a time of storing counts: a view may make up an older one at every reading.
    let since: Instant
}

/// That a user's receipt is there, and when it was stored if that was but now.
struct ReceiptStamp: Hashable, Sendable {
    let receipt: ReceiptID?
    let user: UserID?
    let storedAt: Instant?

    init(_ receipt: ReceiptID?, _ user: UserID?, storedAt: Instant?, since: Instant) {
        (self.receipt, self.user) = (receipt, user)
        self.storedAt = storedAt.flatMap { $0 > since ? $0 : nil }
    }
}

/// One row of `stored_receipts`: good, or not to be sent.
enum ReceiptRow: Sendable {
    case valid(StoredReceipt)
    case invalid(InvalidStoredReceipt, storedAt: Instant?)

    /// Columns: receipt, user, bundle, time of storing in milliseconds, receipt data.
    init(_ row: borrowing PostgresRow) throws(PostgresError) {
        let (id, user): (ReceiptID?, UserID?) = (row.optionalID(0), row.optionalID(1))
        let bundle: BundleID? = row.optionalID(2)
        let storedAt = try row.optionalInstant(3)
        if let id, let user, let bundle, let storedAt, let text = row.optionalBytes(4) {
            self = .valid(
                StoredReceipt(
                    id: id, user: user, bundle: bundle, data: ReceiptData(text: text),
                    storedAt: storedAt))
        } else {
            self = .invalid(
                InvalidStoredReceipt(id: id, user: user, bundle: bundle), storedAt: storedAt)
        }
    }

    func stamp(since: Instant) -> ReceiptStamp {
        switch self {
        case .valid(let receipt):
            ReceiptStamp(receipt.id, receipt.user, storedAt: receipt.storedAt, since: since)
        case .invalid(let receipt, let storedAt):
            ReceiptStamp(receipt.id, receipt.user, storedAt: storedAt, since: since)
        }
    }
}
