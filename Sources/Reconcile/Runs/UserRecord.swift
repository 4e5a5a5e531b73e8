/// A user with a refused receipt, who gets a second look.
struct RefusedUser: Sendable {
    var user: UserID
    /// The refused receipts and the server that refused each. Of identical receipts, the first.
    var refusals: [ReceiptID: StoreEnvironment]
    var requests: RequestRecord
}

enum UserRecord: Sendable {
    case judged(Reference<JudgedUser>)
    case refused(RefusedUser)
    /// A user of a stopped app, who is read again at the end. The requests that were sent already,
    /// which belong to no judged user; nil without any.
    case putOff(Reference<JudgedUser>?)

    /// What is recorded of a judged user, or of the requests about one who was put off.
    var judged: Reference<JudgedUser>? {
        switch self {
        case .judged(let user): user
        case .refused: nil
        case .putOff(let requests): requests
        }
    }

    var user: UserID? {
        switch self {
        case .judged(let judged): judged.value.user
        case .refused(let refused): refused.user
        case .putOff: nil
        }
    }
}

/// A reference to a large value, so that moving it between arrays does not copy it.
final class Reference<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
