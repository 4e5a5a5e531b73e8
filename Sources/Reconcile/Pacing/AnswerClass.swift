enum AnswerClass: Sendable {
    /// The server works, whatever the answer says.
    case sound
    /// A server failure or an unreadable answer: worth a retry.
    case troubled
    /// HTTP 429: the server asks for fewer requests.
    case throttled
}
