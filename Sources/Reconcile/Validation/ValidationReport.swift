/// What asking about one receipt brought: the outcome, and the calls it took.
package struct ValidationReport: Sendable {
    package var validation: Validation = .unverified(.deadline)
    package var attempts = AttemptSummary()
    package var requests = RequestTally()
    /// Where the receipt, if Apple signed it, contradicts the answer that verified it.
    package var contradictions: [Contradiction] = []

    package init() {}

    /// A receipt that nobody asked about.
    package init(_ validation: Validation) { self.validation = validation }

    /// Time ran out between two attempts, or before the first.
    mutating func expire(after verification: Verification) {
        validation = .unverified(.deadline)
        attempts.count = verification.attemptCount
        attempts.detail = "not asked again before --max-runtime was over"
    }

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
    /// One line for an engineer.
    fileprivate var detail: String {
        switch self {
        case .answer(let answer):
            let exception = answer.exception.flatMap(JavaClassName.init).map { ", \($0.text)" }
            return "status \(answer.status.rawValue)\(exception ?? "")"
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

/// Apple's `exception`, for example `java.lang.IllegalArgumentException`. Anything else is not
/// repeated: a server that echoes its request would put the secret into a report.
private struct JavaClassName {
    let text: String

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, text.utf8.count <= 200, parts.allSatisfy(Self.isIdentifier) else {
            return nil
        }
        self.text = text
    }

    private static func isIdentifier(_ part: Substring) -> Bool {
        guard let first = part.utf8.first, !first.isDigit else { return false }
        return part.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24: true
            default: false
            }
        }
    }
}
