import Testing

/// A permanent fault on Apple's side, and the validator's outcome for a genuine receipt. Two
/// attempts a server.
struct FaultCase: Sendable, CustomTestStringConvertible {
    /// The fault's name for `simulate --faults`.
    let fault: String
    /// The requested servers in order: `P` and `S`.
    let asked: String
    let outcome: String
    /// Only a timeout ends the attempt.
    var isSilent = false

    var testDescription: String { fault }

    /// The request is retried in vain: the fault counts as transient.
    var isRetried: Bool { asked == "PP" }

    static let all = answers + statuses + responses + bodies + connections + sizes

    /// Unusual answers that are valid at the first request.
    private static let answers = [
        "chunked", "early-hints", "gzip", "long-string", "slow", "trickle",
    ].map { FaultCase(fault: $0, asked: "P", outcome: "verified") }

    private static let statuses =
        retried("apple_unavailable", "21001", "21005", "21009", "21104", "21199", "99999")
        + retried("apple_unavailable", "status-text")
        + retried("malformed_according_to_apple", "21002")
        + retried("incomplete_answer", "no-receipt", "21006")
        + [
            FaultCase(fault: "21003", asked: "P", outcome: "refused not_authentic"),
            FaultCase(fault: "21010", asked: "P", outcome: "refused account_gone"),
            FaultCase(fault: "21000", asked: "P", outcome: "unverified request_refused"),
            FaultCase(fault: "21004", asked: "P", outcome: "unverified shared_secret_rejected"),
            FaultCase(fault: "21199-final", asked: "P", outcome: "unverified apple_unavailable"),
            FaultCase(fault: "loop", asked: "PSP", outcome: "unverified environment_loop"),
            // A sandbox environment in the answer of the sandbox is normal.
            FaultCase(
                fault: "loop-production", asked: "PSS", outcome: "unverified apple_unavailable"),
        ] + retried("apple_unavailable", "loop-sandbox")

    private static let responses =
        retried("http_status", "500", "502", "503", "503-after", "503-date", "503-ms")
        + retried("http_status", "429", "429-bare", "429-date", "429-old-date", "429-ms")
        + retried("http_status", "429-fraction", "429-negative", "429-past", "429-twice")
        + retried("http_status", "429-words", "204", "301", "302", "307", "403")
        // The delay is longer than the receipt's deadline.
        + ["429-long", "503-long"].map {
            FaultCase(fault: $0, asked: "P", outcome: "unverified http_status")
        }

    private static let bodies =
        retried("malformed_answer", "html", "empty", "array", "string", "null", "no-status")
        + retried("malformed_answer", "duplicate-keys", "bad-utf8", "nul", "nul-within", "utf16")
        + retried("malformed_answer", "half-json", "two-answers", "deep")

    private static let connections =
        retried("connection_failed", "cut", "hang-up", "reset", "reset-midway")
        + retried("connection_failed", "noise")
        // libcurl takes a truncated header for complete, with an empty answer.
        + retried("malformed_answer", "cut-head")
        + ["hang", "hang-head", "hang-body", "endless-head", "slow-loris"].map {
            FaultCase(fault: $0, asked: "PP", outcome: "unverified timeout", isSilent: true)
        }

    private static let sizes =
        retried("connection_failed", "torn-chunk", "bad-chunk", "negative-length", "bad-gzip")
        + retried("connection_failed", "bad-encoding")
        // libcurl takes the answer for complete, although half of it is missing.
        + retried("malformed_answer", "two-lengths", "cut-gzip")
        + retried("answer_too_large", "bomb", "huge", "huge-length", "long-header", "many-headers")

    private static func retried(_ cause: String, _ faults: String...) -> [FaultCase] {
        faults.map { FaultCase(fault: $0, asked: "PP", outcome: "unverified \(cause)") }
    }
}
