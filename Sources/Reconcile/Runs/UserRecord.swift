/// A user with a refused receipt, who gets a second look.
struct RefusedUser: Sendable {
    var user: UserID
    var refusals: Set<RefusedReceipt>
    /// Those of the first pass; empty when it was recorded before.
    var requests = RequestRecord()
}

enum UserRecord: Sendable {
    case judged(Reference<JudgedUser>)
    case refused(RefusedUser)
    /// A user of a stopped app, who is read again at the end, with the requests sent already.
    case deferred(RequestRecord)
    /// Requests about no user of the batch.
    case requests(RequestRecord)

    var judged: Reference<JudgedUser>? { if case .judged(let user) = self { user } else { nil } }

    var requests: RequestRecord {
        switch self {
        case .judged(let judged): judged.value.requests
        case .refused(let refused): refused.requests
        case .deferred(let requests), .requests(let requests): requests
        }
    }

    var user: UserID? {
        switch self {
        case .judged(let judged): judged.value.user
        case .refused(let refused): refused.user
        case .deferred, .requests: nil
        }
    }
}

/// A reference to a large value, so that moving it between arrays does not copy it.
final class Reference<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
