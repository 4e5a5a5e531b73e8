/// What all attempts to ask a question came to.
package indirect enum QuestionResult: Sendable {
    case concluded(ValidationReport)
    case refused(Refusal)

    var requests: RequestRecord {
        switch self {
        case .concluded(let report): report.requests
        case .refused(let refusal): refusal.requests
        }
    }
}
