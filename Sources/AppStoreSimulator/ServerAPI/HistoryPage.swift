/// A page of a customer's transactions: `HistoryResponse`.
struct HistoryPage {
    static let size = 20

    let known: KnownAccount
    let transactions: ArraySlice<Purchase>
    let hasMore: Bool
    /// For the next page.
    private let revision: String

    /// - Parameter revision: of the page before; nil: the first page.
    init(of known: KnownAccount, after revision: String?) throws(APIRefusal) {
        let all = known.transactions
        var start = 0
        if let revision {
            guard let end = Revision(revision, of: known)?.end, end <= all.count else {
                throw .invalidRevision
            }
            start = end
        }
        self.known = known
        transactions = all[start...].prefix(Self.size)
        hasMore = transactions.endIndex < all.count
        self.revision = Revision(end: transactions.endIndex).text(of: known)
    }

    func fields() -> JSONFields {
        var fields = known.envelope
        fields.add("revision", revision)
        fields.add("hasMore", .bool(hasMore))
        fields.add("signedTransactions", .list(transactions.map { .text(known.signed($0)) }))
        return fields
    }
}

/// How far the pages have been read. Another customer's is refused.
private struct Revision {
    let end: Int

    init(end: Int) { self.end = end }

    init?(_ text: String, of known: KnownAccount) {
        guard let bytes = Base64Text.decodedURL(Array(text.utf8)) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":")
        guard parts.count == 2, parts[0] == known.appTransaction, let end = Int(parts[1]), end >= 0
        else { return nil }
        self.end = end
    }

    func text(of known: KnownAccount) -> String {
        Base64Text.encodedURL(Array("\(known.appTransaction):\(end)".utf8))
    }
}

extension KnownAccount {
    /// What several responses begin with.
    var envelope: JSONFields {
        var fields = JSONFields([
            ("bundleId", .text(account.app.bundle)), ("environment", .text(environment.rawValue)),
        ])
        if environment == .production { fields.add("appAppleId", .number(account.app.storeID)) }
        return fields
    }
}
