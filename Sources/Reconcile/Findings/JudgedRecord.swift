/// A user's verdicts and their facts as compact, deterministic JSON. `judged_rights.sql` says what
/// its keys mean.
struct JudgedRecord: Sendable {
    let json: [UInt8]
    /// The first 8 bytes of the JSON's SHA-256.
    let digest: Int64
    /// The ids for finding the user: transactions, and the original transactions of chains.
    let transactions: [TransactionID]

    init(_ rights: [JudgedRight], receipts: [ReceiptID]) {
        var json: [UInt8] = []
        json.reserveCapacity(480 * (rights.count + 1))
        json += "{\"r\":[".utf8
        for (index, receipt) in receipts.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(jsonString: receipt.text)
        }
        json += "],\"v\":[".utf8
        for (index, right) in rights.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(right)
        }
        json += "]}".utf8
        self.json = json
        digest = Digest.sha256(json).leading
        let ids = rights.flatMap { right in
            [
                right.apple?.originalTransaction, right.apple?.transaction,
                right.row?.originalTransaction,
            ]
        }
        var transactions: [TransactionID] = []
        for id in ids.compactMap(\.self).sorted() where id != transactions.last {
            transactions.append(id)
        }
        self.transactions = transactions
    }
}

extension TransactionID {
    /// By which the users with this id are found in the database, whose indexes cannot hold ids of
    /// any length.
    var indexDigest: Int64 { Digest.sha256(text.utf8).leading }
}

extension Digest {
    /// The first 8 bytes.
    fileprivate var leading: Int64 { bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) } }
}

extension [UInt8] {
    fileprivate mutating func append(_ right: JudgedRight) {
        append(UInt8(ascii: "{"))
        append("g", right.right)
        append("v", right.outcome.rawValue)
        append("k", right.kind?.rawValue)
        append("c", right.cause?.rawValue)
        append("f", right.paidApp)
        if right.others > 0 { append("n", raw: String(right.others)) }
        if let row = right.row { append(row) }
        if let apple = right.apple {
            self += ",\"y\":{".utf8
            append(apple)
            append(UInt8(ascii: "}"))
        }
        append(UInt8(ascii: "}"))
    }

    private mutating func append(_ row: StoredEntitlement) {
        append("e", row.id.text)
        append("p", row.product.text)
        append("s", row.source.name)
        append("a", raw: row.isActive ? "true" : "false")
        append("x", row.expiresAt)
        append("o", row.originalTransaction?.text)
        append("w", row.autoRenew)
        append("h", row.ownership?.rawValue)
        append("u", row.updatedAt)
    }

    private mutating func append(_ apple: AppleSide) {
        append("s", apple.state.rawValue)
        append("k", apple.kind.rawValue)
        append("p", apple.product.text)
        append("t", apple.transaction.text)
        append("o", apple.originalTransaction.text)
        append("b", apple.purchasedAt)
        append("x", apple.expiresAt)
        append("e", apple.endsAt)
        append("g", apple.goneAt)
        append("r", apple.gracePeriodExpiresAt)
        append("h", apple.ownership?.rawValue)
        append("l", apple.lineItem?.text)
        if apple.isTrial { append("i", raw: "true") }
        append("w", apple.willRenew)
        append("y", apple.reason)
        append("c", apple.receipt.text)
        append("n", apple.bundle.text)
        append("v", apple.environment.rawValue)
    }

    private mutating func append(key: StaticString) {
        if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\""))
        key.withUTF8Buffer { self += $0 }
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
    }

    private mutating func append(_ key: StaticString, raw value: String) {
        append(key: key)
        self += value.utf8
    }

    private mutating func append(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        append(key: key)
        append(jsonString: text)
    }

    private mutating func append(_ key: StaticString, _ truth: Bool?) {
        guard let truth else { return }
        append(key, raw: truth ? "true" : "false")
    }

    /// Milliseconds since 1970.
    private mutating func append(_ key: StaticString, _ instant: Instant?) {
        guard let instant else { return }
        append(key, raw: String(instant.milliseconds))
    }
}
