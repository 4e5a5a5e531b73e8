internal import SQL

extension PostgresConnection {
    /// Reads what `scope` names. To be called within a snapshot.
    func read(_ scope: SnapshotScope, before past: RunID) throws(PostgresError) -> Snapshot {
        var users = StoredUsers(mostBytes: scope.mostBytes)
        let entitlements = try query(PostgresStatement(scope.entitlements), scope.parameters) {
            row throws(PostgresError) in try EntitlementRow(row)
        }
        for row in entitlements { users.add(row) }
        try forEachRow(of: PostgresStatement(scope.receipts), scope.parameters) {
            row throws(PostgresError) in users.add(try ReceiptRow(row))
        }
        if users.isCut { return .cut(users.complete) }
        let found = users.all
        return .whole(found, try history(of: found.compactMap(\.user), before: past))
    }

    /// What earlier runs left of `users`: published runs over everything that were opened before
    /// `run`, whether that is the run at work or an old one that is judged again.
    func history(of users: [UserID], before run: RunID) throws(PostgresError) -> BatchHistory {
        let byKey = Dictionary(users.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let keys = "{" + byKey.keys.map { String($0) }.joined(separator: ",") + "}"
        let findings = try query(PostgresStatement(SQL.pastFindings), [run.text, keys]) {
            row throws(PostgresError) in
            (key: try row.int64("user_key"), finding: try PastFinding(row))
        }
        let cancellations = try query(PostgresStatement(SQL.pastCancellations), [run.text, keys]) {
            row throws(PostgresError) in
            (key: try row.int64("user_key"), cancellation: try Cancellation(row))
        }
        let accepted = try query(PostgresStatement(SQL.pastAcceptances), [run.text, keys]) {
            row throws(PostgresError) in try row.text("finding_id")
        }
        return BatchHistory(
            findings: findings.compactMap { past in
                byKey[past.key].map { (user: $0, finding: past.finding) }
            },
            cancellations: cancellations.compactMap { past in
                byKey[past.key].map { (user: $0, cancellation: past.cancellation) }
            }, accepted: Set(accepted))
    }
}

/// The users of a portion as their rows come, by user.
private struct StoredUsers {
    private let mostBytes: Int
    private var users: [UserID: StoredUser] = [:]
    private var order: [UserID] = []
    private var bytes = 0
    private var bytesOfUser = 0
    private var current: UserID?
    /// Users whose receipts have come whole, in order.
    private(set) var complete: [UserID] = []
    private(set) var isCut = false

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    var all: [StoredUser] { order.compactMap { users[$0] } }

    mutating func add(_ row: EntitlementRow) {
        guard let user = row.user else { return }
        update(user) { $0.add(row) }
    }

    /// False when no more may be read.
    mutating func add(_ row: ReceiptRow) -> Bool {
        guard let user = row.user else { return true }
        if user != current {
            if let current { complete.append(current) }
            if bytes >= mostBytes, current != nil {
                isCut = true
                return false
            }
            current = user
            bytesOfUser = 0
        }
        bytes += row.byteCount
        bytesOfUser += row.byteCount
        let isTooLarge = bytesOfUser > Database.mostBytesOfUser
        update(user) { stored in
            stored.add(row)
            if isTooLarge { stored.forgetReceiptData() }
        }
        return true
    }

    private mutating func update(_ user: UserID, _ change: (inout StoredUser) -> Void) {
        if users[user] == nil {
            order.append(user)
            users[user] = StoredUser(user: user)
        }
        change(&users[user, default: StoredUser(user: user)])
    }
}

extension StoredUser {
    mutating func add(_ row: EntitlementRow) {
        switch row {
        case .valid(let entitlement): entitlements.append(entitlement)
        case .invalid(let invalid): invalidEntitlements.append(invalid)
        }
    }

    mutating func add(_ row: ReceiptRow) {
        switch row {
        case .valid(let receipt): receipts.append(isTooLarge ? receipt.withoutData : receipt)
        case .invalid(let invalid): invalidReceipts.append(invalid)
        }
    }

    fileprivate mutating func forgetReceiptData() {
        guard !isTooLarge else { return }
        isTooLarge = true
        receipts = receipts.map(\.withoutData)
    }
}

extension UserID {
    /// What the history is kept by: `reconcile.name_key` of the id, the first eight bytes of its
    /// SHA-256.
    var key: Int64 {
        Digest.sha256(text.utf8).bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension Cancellation {
    /// Columns of `past_cancellations` and of `past_cancellations_elsewhere`.
    init(_ row: borrowing PostgresRow) throws(PostgresError) {
        self.init(
            transaction: TransactionID(try row.text("transaction_id")),
            cancelledAt: try row.instant("cancelled_at"),
            isReported: try row.bool("is_reported"), isReversed: try row.bool("is_reversed"))
    }
}

extension PastFinding {
    /// Columns of `past_findings`.
    init(_ row: borrowing PostgresRow) throws(PostgresError) {
        self.init(
            id: try row.text("finding_id"), change: try row.word("change"),
            firstSeen: try row.optionalInstant("first_seen"),
            lastReported: try row.optionalInt("last_reported"))
    }
}
