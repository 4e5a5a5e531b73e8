/// What asking about one receipt brought: the outcome, and the calls it took.
package struct ValidationReport: Sendable {
    package var validation: Validation = .unverified(.deadline)
    package var attempts = AttemptSummary()
    package var requests = RequestTally()

    package init() {}

    /// A receipt that nobody asked about.
    package init(_ validation: Validation) { self.validation = validation }

    mutating func conclude(
        _ validation: Validation, after verification: Verification, last reply: Reply
    ) {
        self.validation = validation
        attempts.count = verification.attemptCount
        guard case .unverified = validation else { return }
        attempts.detail =
            reply.detail + " (\(verification.environment.rawValue.lowercased()),"
            + " attempt \(attempts.count))"
    }
}

extension RequestTally {
    mutating func count(_ environment: StoreEnvironment, isRetry: Bool) {
        sent += 1
        if isRetry { retries += 1 }
        switch environment {
        case .production: production += 1
        case .sandbox: sandbox += 1
        }
    }
}

extension Verification {
    /// Whether the next attempt repeats one in the same environment.
    var isRetry: Bool { attempts[environment, default: 0] > 0 }
}

extension Reply {
    /// One line for an engineer. Apple's `exception` is a Java class name and is cut short.
    fileprivate var detail: String {
        switch self {
        case .answer(let answer):
            let exception = answer.exception.map { ", " + String($0.prefix(120)) } ?? ""
            return "status \(answer.status.rawValue)\(exception)"
        case .unreadable(.noStatus): return "the answer has no status"
        case .unreadable(.json(let error)): return "the answer is not JSON: \(error)"
        case .httpStatus(let status, let retryAfter):
            return "HTTP \(status)" + (retryAfter.map { ", Retry-After \($0)" } ?? "")
        case .failure(_, let detail): return detail
        }
    }
}

extension Unverified {
    init(_ reason: HTTPError.Reason) {
        self =
            switch reason {
            case .timeout: .timeout
            case .tooLarge: .answerTooLarge
            default: .connectionFailed
            }
    }
}
