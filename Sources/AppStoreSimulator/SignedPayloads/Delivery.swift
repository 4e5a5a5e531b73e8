/// How Apple tried to deliver a notice to the service: `sendAttempts`.
struct Delivery {
    struct Attempt: Equatable {
        let at: Moment
        let result: String
    }

    private static let failures = [
        "TIMED_OUT", "UNSUCCESSFUL_HTTP_RESPONSE_CODE", "NO_RESPONSE", "TLS_ISSUE",
    ]
    /// Apple's delays before its attempts, in hours.
    private static let delays = [0, 1, 13, 37, 85, 157]

    let attempts: [Attempt]

    var isDelivered: Bool { attempts.contains { $0.result == "SUCCESS" } }

    /// - Parameter now: later attempts have not been made.
    init(of notice: Notice, now: Moment) {
        let customer = notice.account.customer
        // The service's mistake is that it missed the notice; strangers' notices it got.
        let isMissed = customer.card.flaw == .stillGranted || notice.purchase.id / 7 % 9 == 0
        let failed = isMissed ? Self.delays.count : notice.purchase.id / 11 % 6 == 0 ? 1 : 0
        let failure = Self.failures[customer.number % Self.failures.count]
        attempts = Self.delays.prefix(failed + 1).enumerated().map { index, hours in
            Attempt(
                at: notice.signedAt.hours(hours) + 1_000,
                result: index < failed ? failure : "SUCCESS")
        }.filter { $0.at <= now }
    }

    var json: JSON {
        .list(
            attempts.map { attempt in
                .object([
                    ("attemptDate", .number(attempt.at.milliseconds)),
                    ("sendAttemptResult", .text(attempt.result)),
                ])
            })
    }
}
