/// The requests of a run.
package struct RequestTally: Hashable, Sendable {
    var byServer: [AppleServer: Int] = [:]
    var retries = 0
    var byStatus: [Int: Int] = [:]
    /// By HTTP status. Calls without an HTTP answer are not counted.
    var byHTTPStatus: [Int: Int] = [:]

    init(_ counts: [RequestCount] = []) {
        for count in counts {
            byServer[count.server, default: 0] += count.requests
            retries += count.retries
            if let status = count.status { byStatus[status, default: 0] += count.requests }
            if let status = count.httpStatus { byHTTPStatus[status, default: 0] += count.requests }
        }
    }

    package var sent: Int { byServer.values.reduce(0, +) }
    package var answered: Int { byHTTPStatus.values.reduce(0, +) }

    /// Of every server, also one that was not asked, in the order of reports.
    var perServer: [(name: String, requests: Int)] {
        AppleServer.allCases.map { ($0.rawValue, byServer[$0, default: 0]) }
    }
}
