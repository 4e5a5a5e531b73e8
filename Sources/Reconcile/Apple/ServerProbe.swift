/// What one request of `doctor` learned of a server.
package enum ServerProbe: Sendable {
    /// - Parameters:
    ///   - status: in the body; nil when the answer is not of the source's form.
    ///   - refuses: whether the server refuses the app's secret or key.
    ///   - time: the server's own clock.
    case answered(
        httpStatus: Int, status: Int?, refuses: Bool, time: Instant?,
        retirement: RetirementNotice?)
    /// No answer: why, and what to do.
    case silent(String)
}
