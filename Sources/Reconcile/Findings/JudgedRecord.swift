/// A user's verdicts and their facts as compact, deterministic JSON. `judged_rights` says what
/// its keys mean.
struct JudgedRecord: Sendable {
    let json: [UInt8]
    /// The first 8 bytes of the JSON's SHA-256.
    let digest: Int64
    /// The ids for finding the user, as a JSON array: transactions, and the original transactions
    /// of chains.
    let transactions: [UInt8]

    init(_ rights: [JudgedRight], receipts: [ReceiptID]) {
        var json: [UInt8] = []
        json.reserveCapacity(256 * (rights.count + 1))
        json += "{\"r\":".utf8
        json.append(ids: receipts)
        json += ",\"v\":[".utf8
        for (index, right) in rights.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(right, of: receipts)
        }
        json += "]}".utf8
        self.json = json
        digest = Digest.sha256(json).leading
        var ids: [TransactionID] = []
        for right in rights {
            if let apple = right.apple {
                ids.append(apple.originalTransaction)
                ids.append(apple.transaction)
            }
            if let id = right.row?.originalTransaction { ids.append(id) }
        }
        ids.sort()
        var named: [TransactionID] = []
        for id in ids where id != named.last { named.append(id) }
        var transactions: [UInt8] = []
        transactions.append(ids: named)
        self.transactions = transactions
    }
}

extension Digest {
    /// The first 8 bytes.
    var leading: Int64 { bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) } }
}

/// What most rights have is left out, so that a record has half the bytes; `judged_rights` adds
/// it again.
extension [UInt8] {
    fileprivate mutating func append(_ right: JudgedRight, of receipts: [ReceiptID]) {
        append(UInt8(ascii: "{"))
        append("g", right.right)
        if right.outcome != .consistent { append("v", right.outcome.rawValue) }
        append("k", right.kind?.rawValue)
        append("c", right.cause?.rawValue)
        append("f", right.paidApp)
        if right.others > 0 { append("n", raw: String(right.others)) }
        if let row = right.row { append(row) }
        if let apple = right.apple {
            self += ",\"y\":{".utf8
            append(apple, beside: right.row, of: receipts)
            append(UInt8(ascii: "}"))
        }
        append(UInt8(ascii: "}"))
    }

    private mutating func append(_ row: StoredEntitlement) {
        append("e", row.id)
        append("p", row.product)
        if row.source != .appStore { append("s", row.source.name) }
        if !row.isActive { append("a", raw: "false") }
        append("x", row.expiresAt)
        append("o", row.originalTransaction)
        append("w", row.autoRenew)
        append("h", row.ownership?.rawValue)
        append("u", row.updatedAt)
    }

    private mutating func append(
        _ apple: AppleSide, beside row: StoredEntitlement?, of receipts: [ReceiptID]
    ) {
        if apple.state != .active { append("s", apple.state.rawValue) }
        if apple.kind != .autoRenewable { append("k", apple.kind.rawValue) }
        if apple.product != row?.product { append("p", apple.product) }
        append("t", apple.transaction)
        append("o", apple.originalTransaction)
        append("b", apple.purchasedAt)
        append("x", apple.expiresAt, unless: row?.expiresAt)
        append("e", apple.endsAt, unless: apple.expiresAt)
        append("g", apple.goneAt)
        append("r", apple.gracePeriodExpiresAt)
        if apple.ownership == nil { append("h", raw: "null") }
        if apple.ownership == .familyShared { append("h", Ownership.familyShared.rawValue) }
        append("l", apple.lineItem)
        if apple.isTrial { append("i", raw: "true") }
        append("w", apple.willRenew)
        append("y", apple.reason)
        if apple.receipt != receipts.first { append("c", apple.receipt) }
        append("n", apple.bundle)
        if apple.environment != .production { append("v", apple.environment.rawValue) }
        // A record of another source is as it was before there were two.
        if apple.source == .serverAPI { append("a", AnswerSource.serverAPI.rawValue) }
    }

    fileprivate mutating func append<Tag>(ids: [Identifier<Tag>]) {
        append(UInt8(ascii: "["))
        for id in ids {
            if last != UInt8(ascii: "[") { append(UInt8(ascii: ",")) }
            id.withUTF8 { append(jsonString: $0) }
        }
        append(UInt8(ascii: "]"))
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

    private mutating func append<Tag>(_ key: StaticString, _ id: Identifier<Tag>?) {
        guard let id else { return }
        append(key: key)
        id.withUTF8 { append(jsonString: $0) }
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

    private mutating func append(
        _ key: StaticString, _ instant: Instant?, unless usual: Instant?
    ) {
        guard instant != usual else { return }
        append(key, raw: instant.map { String($0.milliseconds) } ?? "null")
    }
}
