struct RequestRecord: Hashable, Sendable {
    var production = 0
    var sandbox = 0
    /// Calls beyond the first to one environment for one receipt.
    var retries = 0
    var statuses: [Int] = []
    var httpStatuses: [Int] = []

    init() {}

    var sent: Int { production + sandbox }

    mutating func count(_ environment: StoreEnvironment, isRetry: Bool) {
        if isRetry { retries += 1 }
        switch environment {
        case .production: production += 1
        case .sandbox: sandbox += 1
        }
    }

    static func += (record: inout Self, other: Self) {
        record.production += other.production
        record.sandbox += other.sandbox
        record.retries += other.retries
        record.statuses += other.statuses
        record.httpStatuses += other.httpStatuses
    }
}

package struct RequestTally: Hashable, Sendable {
    package var sent = 0
    var production = 0
    var sandbox = 0
    var retries = 0
    var byStatus: [Int: Int] = [:]
    /// By HTTP status. Calls without an HTTP answer are not counted.
    var byHTTPStatus: [Int: Int] = [:]

    init() {}

    package var answered: Int { byHTTPStatus.values.reduce(0, +) }
}
