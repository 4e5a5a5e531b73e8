/// What one attempt brought.
enum Reply: Equatable, Sendable {
    /// 200 with Apple's JSON.
    case answer(VerifyReceiptAnswer)
    /// 200 with something else.
    case unreadable(VerifyReceiptAnswer.Unreadable)
    /// Another HTTP status, and how long it asks us to wait.
    case httpStatus(Int, retryAfter: Duration?)
    /// No whole HTTP answer.
    case failure(Unverified, detail: String)
}
