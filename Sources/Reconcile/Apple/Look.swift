package indirect enum Look: Sendable {
    case concluded(ValidationReport)
    case refused(Refusal)

    var requests: RequestRecord {
        switch self {
        case .concluded(let report): report.requests
        case .refused(let refusal): refusal.requests
        }
    }
}
