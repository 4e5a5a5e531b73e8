struct SnapshotUsers {
    private let mostBytes: Int
    /// In the order of their first rows.
    private(set) var all: [StoredUser] = []
    /// Where each user is in `all`.
    private var indices: [UserID: Int] = [:]
    private var bytes = 0
    private var bytesOfUser = 0
    private var current: UserID?
    private var lastEntitlement: EntitlementID?
    private var lastReceipt: ReceiptID?
    /// Users whose receipts have all arrived, in order.
    private(set) var complete: [UserID] = []
    private(set) var isCut = false

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    /// - Throws: `sourceData` when the previous row has the same id, since rows are ordered by user
    ///   and id: the view has come to return rows several times.
    mutating func add(_ row: EntitlementRow) throws(DatabaseError) {
        guard let user = row.user else { return }
        if let id = row.id, id == lastEntitlement {
            throw .repeated(id.text, "entitlement_id", in: "stored_entitlements")
        }
        lastEntitlement = row.id
        all[index(of: user)].add(row)
    }

    /// - Returns: false when no more rows may be read.
    /// - Throws: as for entitlements.
    mutating func add(_ row: ReceiptRow) throws(DatabaseError) -> Bool {
        guard let user = row.user else { return true }
        if let id = row.id, id == lastReceipt {
            throw .repeated(id.text, "receipt_id", in: "stored_receipts")
        }
        lastReceipt = row.id
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
        let isTooLarge = bytesOfUser > BatchReader.mostBytesOfUser
        let index = index(of: user)
        all[index].add(row)
        if isTooLarge { all[index].forgetReceiptData() }
        return true
    }

    private mutating func index(of user: UserID) -> Int {
        if let last = all.indices.last, all[last].user == user { return last }
        if let known = indices[user] { return known }
        indices[user] = all.count
        all.append(StoredUser(user: user))
        return all.count - 1
    }
}

extension DatabaseError {
    fileprivate static func repeated(
        _ id: String, _ column: String, in view: String
    ) -> DatabaseError {
        DatabaseError(
            .sourceData([ViewContract.repeated(id, column, in: view)]), statement: "read_batch")
    }
}

extension StoredUser {
    fileprivate mutating func forgetReceiptData() {
        guard !isTooLarge else { return }
        isTooLarge = true
        receipts = receipts.map(\.withoutData)
    }
}
