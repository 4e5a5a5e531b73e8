/// The bodies of the App Store Server API's answers, as far as they are read. Everything that
/// counts in them is signed, so what is around the signed strings only says where they are.
///
/// Source: <https://developer.apple.com/documentation/appstoreserverapi>.
enum APIAnswer {
    /// `HistoryResponse`.
    struct Page: Sendable {
        let transactions: [ArraySlice<UInt8>]
        /// To ask for the next page with; nil at the last.
        let next: String?
    }

    /// One of `lastTransactions` in `StatusResponse`.
    struct Subscription: Sendable {
        let renewal: ArraySlice<UInt8>
        let status: Int?
    }

    /// JSON, but not of the form that was asked for.
    struct Incomplete: Error {}

    static func page(_ root: JSONNode) throws(Incomplete) -> Page {
        guard let transactions = root["signedTransactions"]?.texts,
            let hasMore = root["hasMore"]?.flag
        else { throw Incomplete() }
        guard hasMore else { return Page(transactions: transactions, next: nil) }
        guard let revision = root["revision"]?.string, !revision.isEmpty else { throw Incomplete() }
        return Page(transactions: transactions, next: revision)
    }

    static func subscriptions(_ root: JSONNode) throws(Incomplete) -> [Subscription] {
        guard let groups = root["data"]?.elements else { throw Incomplete() }
        return groups.flatMap { $0["lastTransactions"]?.elements ?? [] }.compactMap { last in
            last["signedRenewalInfo"]?.text.map {
                Subscription(renewal: $0, status: last["status"]?.integer)
            }
        }
    }

    static func appTransaction(_ root: JSONNode) throws(Incomplete) -> ArraySlice<UInt8> {
        guard let signed = root["signedAppTransactionInfo"]?.text else { throw Incomplete() }
        return signed
    }

    /// `NotificationHistoryResponse`.
    struct Notices: Sendable {
        let notices: [Notice]
        /// To ask for the next page with; nil at the last.
        let next: String?
    }

    /// One of `notificationHistory`.
    struct Notice: Sendable {
        let payload: ArraySlice<UInt8>
        /// Whether an attempt to deliver it succeeded.
        let isDelivered: Bool
    }

    static func notices(_ root: JSONNode) throws(Incomplete) -> Notices {
        guard let items = root["notificationHistory"]?.elements, let hasMore = root["hasMore"]?.flag
        else { throw Incomplete() }
        let notices = items.compactMap { item in
            item["signedPayload"]?.text.map { payload in
                let results = (item["sendAttempts"]?.elements ?? [])
                    .map { $0["sendAttemptResult"]?.string }
                return Notice(payload: payload, isDelivered: results.contains("SUCCESS"))
            }
        }
        guard notices.count == items.count else { throw Incomplete() }
        guard hasMore else { return Notices(notices: notices, next: nil) }
        guard let token = root["paginationToken"]?.string, !token.isEmpty else {
            throw Incomplete()
        }
        return Notices(notices: notices, next: token)
    }

    /// `errorCode`; nil without one, as in an answer 401.
    static func errorCode(_ body: [UInt8]) -> Int? {
        (try? JSONNode(body))?["errorCode"]?.integer
    }
}

extension JSONNode {
    /// The strings of an array; nil when it is none, or holds anything else.
    fileprivate var texts: [ArraySlice<UInt8>]? {
        guard let elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
}
