/// What asking about one receipt brought: the outcome, and the calls it took.
package struct ValidationReport: Sendable {
    package var validation: Validation = .unverified(.deadline)
    package var attempts = AttemptSummary()
    package var requests = RequestTally()
    /// The last answer with HTTP status 200, unless it has been let go.
    package var body: AnswerBody?
    /// What the answer is recorded under; nil where nobody was asked.
    package var question: [UInt8]?
    /// Where the receipt, if Apple signed it, contradicts the answer that verified it.
    package var contradictions: [Contradiction] = []
    /// Of what kind products are that the catalogue does not have, if Apple signed the receipt.
    package var signedKinds: [ProductID: ProductKind] = [:]
    private var rejection: Rejected?

    /// A refusal of Apple's that was believed.
    private struct Rejected {
        /// Those of the answers that refuse the receipt, as `Pace` counts.
        let numbers: [Int]
        /// What stands beside it when it is believed no more.
        let detail: String
    }

    package init() {}

    /// A receipt that nobody asked about.
    package init(_ validation: Validation) { self.validation = validation }

    mutating func take(_ words: SignedWords) {
        (contradictions, signedKinds) = (words.contradictions, words.kinds)
    }

    /// The numbers of the answers by which Apple refused the receipt, if they were believed.
    var refusedBy: [Int]? { rejection?.numbers }

    /// Ends without an answer, since nothing more may be asked.
    mutating func end(
        _ admission: Pace.Admission, of question: ReceiptQuestion, after verification: Verification
    ) {
        attempts.count = verification.attemptCount
        switch admission {
        case .bundleStopped:
            validation = .unverified(
                question.secret == nil ? .sharedSecretMissing : .sharedSecretRejected)
            attempts.detail = "not asked: most of the first answers for its app were 21004"
        case .outage:
            validation = .unverified(.outage)
            attempts.detail = "not asked: Apple was down for longer than --outage-patience"
        case .tooLate, .free, .probe:
            validation = .unverified(.deadline)
            attempts.detail = "not asked again before --max-runtime was over"
        }
    }

    mutating func conclude(
        _ validation: Validation, after verification: Verification, last attempt: Attempt,
        refusals: [Refusal]
    ) {
        self.validation = validation
        attempts.count = verification.attemptCount
        if validation.isRefusal {
            rejection = Rejected(
                numbers: refusals.filter { $0.says(validation, in: verification.environment) }
                    .map(\.number),
                detail: detail(of: attempt, verification))
        } else if case .unverified = validation {
            attempts.detail = detail(of: attempt, verification)
        }
    }

    private func detail(of attempt: Attempt, _ verification: Verification) -> String {
        attempt.reply.detail + (attempt.retryAfter.map { ", Retry-After \($0)" } ?? "")
            + " (\(verification.environment.rawValue.lowercased()), attempt \(attempts.count))"
    }

    /// A recorded refusal is reviewed like one of now, unless that has been done.
    mutating func expectReview(of refusals: [Int]?) {
        guard validation.isRefusal else { return }
        rejection = refusals.map { Rejected(numbers: $0, detail: attempts.detail ?? "") }
        attempts.detail = nil
    }

    /// What stands beside the refusal when it is believed no more.
    var refusalDetail: String? { rejection?.detail }

    /// The same, without believing the refusal.
    func doubted() -> ValidationReport {
        var report = self
        report.validation = .unverified(.rejectionUnconfirmed)
        report.attempts.detail = rejection?.detail
        report.rejection = nil
        return report
    }
}

/// An answer that refused a receipt.
struct Refusal: Sendable {
    let environment: StoreEnvironment
    let rejection: Rejection
    /// As `Pace` counts.
    let number: Int

    init(_ environment: StoreEnvironment, _ rejection: Rejection, _ number: Int) {
        (self.environment, self.rejection, self.number) = (environment, rejection, number)
    }

    func says(_ validation: Validation, in environment: StoreEnvironment) -> Bool {
        self.environment == environment && validation == .rejected(rejection)
    }
}

extension Validation {
    /// Whether Apple refuses the receipt.
    fileprivate var isRefusal: Bool {
        if case .rejected(let rejection) = self {
            Rejection.refusals.contains(rejection)
        } else {
            false
        }
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
        case .httpStatus(let status): return "HTTP \(status)"
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
