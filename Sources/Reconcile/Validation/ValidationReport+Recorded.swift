/// A report as it is kept, and back.
extension ValidationReport {
    /// What is kept of the report; nil for a receipt that was not asked about to the end, which
    /// the next worker asks about.
    package func recorded(
        for question: ReceiptQuestion, of receipt: ReceiptID?
    ) -> RecordedAnswer? {
        let conclusion: RecordedAnswer.Conclusion
        switch validation {
        case .verified where body != nil: conclusion = .verified
        case .rejected(let cause): conclusion = .rejected(cause)
        case .unverified(let cause) where cause.isConclusive: conclusion = .unverified(cause)
        default: return nil
        }
        var attempts = attempts
        attempts.detail = attempts.detail ?? refusalDetail
        return RecordedAnswer(
            question: question.digest, receipt: receipt, conclusion: conclusion,
            attempts: attempts, requests: requests, body: body)
    }

    /// Whether Apple refused the receipt, and that may be believed no more when the batch is
    /// judged.
    package var isRefusal: Bool { refusedBy != nil }

    /// The report that was recorded. A verified receipt is read anew from Apple's answer.
    init(_ recorded: RecordedAnswer) {
        self.init()
        (attempts, requests) = (recorded.attempts, recorded.requests)
        question = recorded.question
        switch recorded.conclusion {
        case .rejected(let cause): validation = .rejected(cause)
        case .unverified(let cause): validation = .unverified(cause)
        case .verified:
            let receipt = recorded.body.flatMap { body in
                // What an older release could read and this one cannot proves nothing.
                try? VerifyReceiptAnswer.read(body.bytes, from: body.server).receipt
            }
            validation = receipt.map(Validation.verified) ?? .unverified(.incompleteAnswer)
        }
    }
}

extension Unverified {
    /// Whether Apple was asked as often as it may be.
    fileprivate var isConclusive: Bool {
        switch self {
        case .deadline, .outage, .noEvidence, .batchSetAside, .offline: false
        default: true
        }
    }
}

extension RecordedAnswer.Conclusion {
    /// Whether Apple refused the receipt, which in a storm is not believed.
    var isRefusal: Bool {
        if case .rejected(let rejection) = self {
            Rejection.refusals.contains(rejection)
        } else {
            false
        }
    }
}
