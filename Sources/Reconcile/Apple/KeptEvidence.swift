// Answers as evidence, complete enough to be judged again without asking.
extension LiveSource {
    /// The answer to keep; nil for a receipt that was not requested.
    func kept(
        _ report: ValidationReport, to question: Question, of receipt: ReceiptID
    ) -> KeptAnswer? {
        let conclusion: KeptAnswer.Conclusion
        switch report.validation {
        case .verified: conclusion = .verified
        case .rejected(let cause): conclusion = .rejected(cause)
        case .unverified(let cause): conclusion = .unverified(cause)
        case .unusable: return nil
        }
        let body = report.body
        var kept = KeptAnswer(
            request: question.digest, receipt: receipt, conclusion: conclusion,
            attempts: report.attempts, body: body,
            bodyDigest: body.map { $0.digest.bytes })
        if let body, let clean = withoutSecret(body, to: question) {
            kept.body = clean
            let notice = "the answer repeated the shared secret, which is left out"
            kept.attempts.detail = [report.attempts.detail, notice].compactMap(\.self)
                .joined(separator: "; ")
        }
        return kept
    }

    /// The report that was kept. A verified receipt is read again from Apple's answer.
    func report(on kept: KeptAnswer) -> ValidationReport {
        let validation: Validation =
            switch kept.conclusion {
            case .rejected(let cause): .rejected(cause)
            case .unverified(let cause): .unverified(cause)
            case .verified:
                // A body that an older release could parse and this one cannot proves nothing.
                kept.body.flatMap(history).map(Validation.verified)
                    ?? .unverified(.incompleteAnswer)
            }
        var report = ValidationReport(validation)
        report.attempts = kept.attempts
        report.body = kept.body
        return report
    }
}

extension AnswerBody {
    /// Of `received`.
    fileprivate var digest: Digest {
        guard server.source == .serverAPI else { return Digest.sha256(bytes) }
        var stream = DigestStream()
        SignedLines.forEachPart(of: bytes) { $0.withUnsafeBytes { stream.update($0) } }
        return stream.finish()
    }
}
