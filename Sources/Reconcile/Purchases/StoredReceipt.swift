package struct StoredReceipt: Sendable {
    let id: ReceiptID
    let user: UserID
    package let bundle: BundleID
    package let data: ReceiptData
    let storedAt: Instant

    package init(
        id: ReceiptID, user: UserID, bundle: BundleID, data: ReceiptData, storedAt: Instant
    ) {
        self.id = id
        self.user = user
        self.bundle = bundle
        self.data = data
        self.storedAt = storedAt
    }
}

extension StoredReceipt {
    var withoutData: StoredReceipt {
        StoredReceipt(
            id: id, user: user, bundle: bundle, data: ReceiptData(text: []), storedAt: storedAt)
    }
}

/// A row of `stored_receipts` with a null in a required column. It is never sent to Apple.
struct InvalidStoredReceipt: Sendable, Equatable {
    let id: ReceiptID?
    let user: UserID?
    let bundle: BundleID?
}
