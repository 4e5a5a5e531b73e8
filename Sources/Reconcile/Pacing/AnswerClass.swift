/// What an answer says about asking on.
enum AnswerClass: Sendable {
    /// The server does its work, whether or not we like what it says.
    case sound
    /// It does not, or nobody can tell: worth another try.
    case troubled
    /// It asks for fewer requests: HTTP 429.
    case throttled
}
