extension BinaryCopyBuffer {
    /// The columns of `copy_outcomes`.
    mutating func append(_ outcome: Outcome, of run: RunID) {
        beginRow(columns: 13)
        append(run.text)
        append(outcome.receipt?.text)
        append(outcome.user?.text)
        append(outcome.bundle?.text)
        append(outcome.validation.outcome)
        append(outcome.validation.cause)
        append(int: outcome.attempts.count)
        append(bigint: outcome.attempts.lastStatus)
        append(int: outcome.attempts.lastHTTPStatus)
        append(outcome.attempts.detail)
        append(timestamp: outcome.attempts.answeredAt?.milliseconds)
        append(int: outcome.entitlementsAffected)
        append(bytes: outcome.question)
    }
}

extension Validation {
    /// The column `outcome`.
    fileprivate var outcome: String {
        switch self {
        case .verified: "verified"
        case .rejected: "rejected"
        case .unusable: "unusable"
        case .unverified: "unverified"
        }
    }

    /// The column `cause`; none for what is verified.
    fileprivate var cause: String? {
        switch self {
        case .verified: nil
        case .rejected(let cause): cause.rawValue
        case .unusable(let cause): cause.rawValue
        case .unverified(let cause): cause.rawValue
        }
    }
}
