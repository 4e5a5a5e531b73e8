/// Requests that were sent to Apple, in their order.
struct RequestRecord: Hashable, Sendable {
    struct Request: Hashable, Sendable {
        let server: AppleServer
        /// Whether it is beyond the first to the server about the receipt.
        let isRetry: Bool
        /// Nil without an HTTP answer.
        var httpStatus: Int?
        /// Apple's own; nil without an answer that has one.
        var status: Int?
    }

    private(set) var all: [Request] = []

    var sent: Int { all.count }

    mutating func begin(at server: AppleServer, isRetry: Bool) {
        all.append(Request(server: server, isRetry: isRetry))
    }

    /// The last request has ended.
    mutating func answered(_ status: Int? = nil, httpStatus: Int?) {
        all[all.count - 1].status = status
        all[all.count - 1].httpStatus = httpStatus
    }

    static func += (record: inout Self, other: Self) { record.all += other.all }
}
