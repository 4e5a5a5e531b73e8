struct ReceiptLine {
    var bundle: JSONValue?
    var originalApplicationVersion: JSONValue?
    var hasInApp = false
    var inApp: [TransactionLine] = []
    /// iOS 6: the keys of the receipt are those of a transaction.
    var transaction = TransactionLine()
    private var createdMS = JSONValue.absent
    private var created = JSONValue.absent
    private var requestedMS = JSONValue.absent
    private var requested = JSONValue.absent

    mutating func take(
        _ value: JSONValue, of code: UInt8, in bytes: UnsafeBufferPointer<UInt8>
    ) {
        switch AnswerKey(rawValue: code) ?? .other {
        case .bundleID: bundle = value.text
        case .originalApplicationVersion: originalApplicationVersion = value.text
        case .receiptCreationDateMS: createdMS = value
        case .receiptCreationDate: created = value
        case .requestDateMS: requestedMS = value
        case .requestDate: requested = value
        default: transaction.take(value, of: code, in: bytes)
        }
    }

    func createdAt(in bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        DateReading(createdMS, created, in: bytes).instant
    }

    func requestedAt(in bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        DateReading(requestedMS, requested, in: bytes).instant
    }

    func originalPurchaseAt(in bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        transaction.date(.originalPurchase, in: bytes).instant
    }
}
