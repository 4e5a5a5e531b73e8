/// What one attempt brought.
enum Reply: Equatable, Sendable {
    /// 200 with Apple's JSON.
    case answer(VerifyReceiptAnswer)
    /// 200 with something else.
    case unreadable(VerifyReceiptAnswer.Unreadable)
    /// Another HTTP status.
    case httpStatus(Int)
    /// No whole HTTP answer.
    case failure(Unverified, detail: String)
}

/// A reply, and what was known when it came.
struct Attempt: Sendable {
    let reply: Reply
    /// How long the server asks us to wait.
    let retryAfter: Duration?
    let standing: Pace.Standing
}
