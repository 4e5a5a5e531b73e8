/// Requests to one server with the same answer.
struct RequestCount: Hashable, Sendable {
    let server: AppleServer
    let httpStatus: Int?
    let status: Int?
    var requests = 0
    /// How many of them were retries.
    var retries = 0

    /// In no order.
    static func all(in records: some Sequence<RequestRecord>) -> [RequestCount] {
        var counts: [RequestCount: (requests: Int, retries: Int)] = [:]
        for record in records {
            for request in record.all {
                let key = RequestCount(
                    server: request.server, httpStatus: request.httpStatus, status: request.status)
                counts[key, default: (0, 0)].requests += 1
                if request.isRetry { counts[key]?.retries += 1 }
            }
        }
        return counts.map { key, count in
            var row = key
            (row.requests, row.retries) = count
            return row
        }
    }
}
