struct SnapshotUsers {
    private let mostBytes: Int
    private var users: [UserID: StoredUser] = [:]
    private var order: [UserID] = []
    private var bytes = 0
    private var bytesOfUser = 0
    private var current: UserID?
    /// Users whose receipts have all arrived, in order.
    private(set) var complete: [UserID] = []
    private(set) var isCut = false

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    var all: [StoredUser] { order.compactMap { users[$0] } }

    mutating func add(_ row: EntitlementRow) {
        guard let user = row.user else { return }
        update(user) { $0.add(row) }
    }

    /// - Returns: false when no more rows may be read.
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
        let isTooLarge = bytesOfUser > BatchReader.mostBytesOfUser
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
    fileprivate mutating func forgetReceiptData() {
        guard !isTooLarge else { return }
        isTooLarge = true
        receipts = receipts.map(\.withoutData)
    }
}
