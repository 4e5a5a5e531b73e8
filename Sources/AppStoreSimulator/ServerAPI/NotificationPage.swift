/// A page of an app's notices: `NotificationHistoryResponse`. Notices are in the order of customers
/// and in none of time, as no client should rely on one.
struct NotificationPage {
    static let size = 20

    private let notices: [(notice: Notice, delivery: Delivery)]
    /// Nil after the last page.
    private let next: String?

    /// - Parameter token: of the page before; nil: the first page.
    init(
        of query: NotificationQuery, from token: String?, in store: SimulatedStore
    ) throws(APIRefusal) {
        var position = Position(customer: 0, skipped: 0)
        if let token {
            guard let found = Position(token, of: query) else { throw .invalidPage }
            position = found
        }
        var notices: [(Notice, Delivery)] = []
        var next: String?
        search: for number in store.numbersWithNotices(from: position.customer) {
            let skipped = number == position.customer ? position.skipped : 0
            let found = store.notices(of: number, for: query)
            for index in found.indices.dropFirst(skipped) {
                guard notices.count < Self.size else {
                    next = Position(customer: number, skipped: index).token(of: query)
                    break search
                }
                notices.append(found[index])
            }
        }
        self.notices = notices
        self.next = next
    }

    func fields() -> JSONFields {
        var fields = JSONFields()
        fields.add("hasMore", .bool(next != nil))
        fields.add("paginationToken", next)
        fields.add(
            "notificationHistory",
            .list(
                notices.map { notice, delivery in
                    .object([
                        ("signedPayload", .text(notice.signed())), ("sendAttempts", delivery.json),
                    ])
                }))
        return fields
    }
}

/// Where a page begins. That of another request is refused.
private struct Position {
    let customer: Int
    /// Notices of that customer which were on earlier pages.
    let skipped: Int

    init(customer: Int, skipped: Int) {
        self.customer = customer
        self.skipped = skipped
    }

    init?(_ token: String, of query: NotificationQuery) {
        guard let bytes = Base64Text.decodedURL(Array(token.utf8)) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":")
        guard parts.count == 3, parts[0] == query.digest, let customer = Int(parts[1]),
            let skipped = Int(parts[2]), customer >= 0, skipped >= 0
        else { return nil }
        self.init(customer: customer, skipped: skipped)
    }

    func token(of query: NotificationQuery) -> String {
        Base64Text.encodedURL(Array("\(query.digest):\(customer):\(skipped)".utf8))
    }
}

extension SimulatedStore {
    /// Customers who may have notices, by their cards: computing all would take minutes in a world
    /// of millions.
    fileprivate func numbersWithNotices(from first: Int) -> some Sequence<Int> {
        let own = (min(first, customers)..<customers).lazy.filter { card(of: $0).story.hasNotices }
        let strangers = Stranger.numbers.lazy.filter { $0 >= first }
        return [AnySequence(own), AnySequence(strangers)].lazy.joined()
    }

    fileprivate func notices(
        of number: Int, for query: NotificationQuery
    ) -> [(Notice, Delivery)] {
        let customer = customer(number)
        return customer.accounts.indices.map { account($0, of: customer) }
            .filter {
                $0.account.app.bundle == query.bundle && $0.environment == query.environment
            }
            .flatMap { known in
                known.notices().map { ($0, Delivery(of: $0, now: known.now)) }
                    .filter { query.asksFor($0.0, $0.1) }
            }
    }
}

extension Story {
    /// Whether a purchase may be refunded or withdrawn.
    var hasNotices: Bool {
        switch self {
        case .refunded, .refundedLastNight, .refundedTomorrow, .refundedEarlier,
            .refundedAfterExpiry, .refundReversed, .familyLeft, .ownerRefunded, .sharedOwnerLeft,
            .coinBuyer, .oldClientRefunded, .magazineReader:
            true
        default: false
        }
    }
}
