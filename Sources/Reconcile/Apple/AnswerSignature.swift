/// The check of Apple's signature on an answer.
package struct AnswerSignature: Equatable, Sendable {
    /// Whether Apple signed the answer's facts at its time. False when it did not,
    /// signed at another time, or what it signed contradicts the answer.
    var isSigned = false
    var contradictions: [Contradiction] = []
    /// A receipt that Apple signed in the answer, at its time, and when it was made.
    var fresh: (bytes: [UInt8], madeAt: Instant)?

    package static func == (one: AnswerSignature, other: AnswerSignature) -> Bool {
        one.isSigned == other.isSigned && one.contradictions == other.contradictions
            && one.fresh?.bytes == other.fresh?.bytes && one.fresh?.madeAt == other.fresh?.madeAt
    }
}
