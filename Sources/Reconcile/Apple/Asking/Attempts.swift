// What one look at a question adds to its report.
extension ValidationReport {
    /// Adds what was learned from one request.
    mutating func take(_ attempt: Attempt) {
        requests.answered(attempt.status, httpStatus: attempt.httpStatus)
        if let status = attempt.status { attempts.lastStatus = status }
        attempts.lastHTTPStatus = attempt.httpStatus
        if let answeredAt = attempt.answeredAt { attempts.answeredAt = answeredAt }
        if let answer = attempt.body { body = answer }
    }

    /// Ends the look without an answer, because no further request is admitted.
    /// - Parameter status: of the answers that stopped an app for a cause.
    mutating func end(
        _ admission: Pace.Admission, after state: RetryState,
        of asker: ValidationSettings.Asker, status: (Unverified) -> Int
    ) {
        attempts.count = state.attemptCount
        switch admission {
        case .bundleStopped(let cause):
            validation = .unverified(cause)
            isOfStoppedApp = true
            attempts.detail = "not requested: most answers about its app were \(status(cause))"
        case .outage:
            validation = .unverified(.outage)
            attempts.detail = "not requested: Apple was down for longer than --outage-patience"
        case .tooLate, .free, .probe:
            validation = .unverified(.deadline)
            attempts.detail = asker.tooLate
        }
    }

    mutating func conclude(
        _ validation: Validation, after state: RetryState, last attempt: Attempt
    ) {
        self.validation = validation
        attempts.count = state.attemptCount
        if case .unverified = validation { attempts.detail = detail(of: attempt, state) }
    }

    mutating func refusal(
        _ rejection: Rejection, after state: RetryState, last attempt: Attempt
    ) -> Refusal {
        attempts.count = state.attemptCount
        attempts.detail = detail(of: attempt, state)
        return Refusal(
            rejection: rejection, server: state.server, attempts: attempts,
            requests: requests, body: body)
    }

    private func detail(of attempt: Attempt, _ state: RetryState) -> String {
        attempt.detail + (attempt.retryAfter.map { ", Retry-After \($0)" } ?? "")
            + " (\(state.server.rawValue), attempt \(attempts.count)"
            + (attempt.requestID.map { ", request \($0)" } ?? "") + ")"
    }

    func line(
        _ attempt: Attempt, of receipt: ReceiptID?, number: Int, from server: AppleServer,
        _ duration: Duration
    ) -> RequestLine {
        var line = RequestLine(
            receipt: receipt, server: server, attempt: number, duration: duration,
            bytes: attempt.bodyBytes)
        line.requestID = attempt.requestID
        line.status = attempt.status
        line.failure = attempt.failure
        if line.failure == nil { line.httpStatus = attempt.httpStatus }
        return line
    }
}
