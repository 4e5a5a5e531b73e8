/// A refusal by Apple: the receipt is not authentic, or its account is gone. It needs a second look
/// to be believed.
package struct Refusal: Sendable {
    let rejection: Rejection
    let server: AppleServer
    let attempts: AttemptSummary
    let requests: RequestRecord
    let body: AnswerBody?

    /// `rejected`: Apple repeated the refusal while it still accepted the controls.
    var confirmed: ValidationReport { rejected(for: rejection) }

    func rejected(for why: Rejection) -> ValidationReport {
        var report = report(.rejected(why))
        report.attempts.detail = nil
        return report
    }

    /// `unverified` with `cause`, because the refusal is not believed.
    func doubted(_ cause: Unverified) -> ValidationReport { report(.unverified(cause)) }

    private func report(_ validation: Validation) -> ValidationReport {
        var report = ValidationReport(validation)
        report.attempts = attempts
        report.requests = requests
        report.body = body
        return report
    }
}
