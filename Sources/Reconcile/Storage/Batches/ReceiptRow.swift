/// One row of `stored_receipts`. A row with a null is invalid and not sent to Apple.
enum ReceiptRow: Sendable {
    case valid(StoredReceipt)
    case invalid(InvalidStoredReceipt)

    init(_ row: borrowing PostgresRow) throws {
        let id: ReceiptID? = try row.optionalID("receipt_id")
        let user: UserID? = try row.optionalID("user_id")
        let bundle: BundleID? = try row.optionalID("bundle_id")
        let storedAt = try row.optionalInstant("stored_at")
        if let id, let user, let bundle, let storedAt,
            let text = try row.optionalBytes("receipt_data")
        {
            self = .valid(
                StoredReceipt(
                    id: id, user: user, bundle: bundle, data: ReceiptData(text: text),
                    storedAt: storedAt))
        } else {
            self = .invalid(InvalidStoredReceipt(id: id, user: user, bundle: bundle))
        }
    }

    var id: ReceiptID? {
        switch self {
        case .valid(let receipt): receipt.id
        case .invalid(let receipt): receipt.id
        }
    }

    var user: UserID? {
        switch self {
        case .valid(let receipt): receipt.user
        case .invalid(let receipt): receipt.user
        }
    }

    var byteCount: Int {
        switch self {
        case .valid(let receipt): receipt.data.text.count
        case .invalid: 0
        }
    }
}

extension StoredUser {
    mutating func add(_ row: ReceiptRow) {
        switch row {
        case .valid(let receipt): receipts.append(isTooLarge ? receipt.withoutData : receipt)
        case .invalid(let invalid): invalidReceipts.append(invalid)
        }
    }
}
