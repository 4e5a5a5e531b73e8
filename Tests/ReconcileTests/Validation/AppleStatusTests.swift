import Testing

@testable import Reconcile
@testable import TestSupport

/// SPEC §2.4, reply by reply: the next step, and what the reply says about the server.
@Suite("A reply from Apple")
struct AppleStatusTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let reply: ValidationReply
        var name: String?
        var server = StoreEnvironment.production
        var hasSecret = true
        let step: AppleStatus.Step
        let state: AppleStatus.Server

        var testDescription: String {
            let words = name ?? reply.detail
            return "\(words) from \(server)\(hasSecret ? "" : ", without a secret")"
        }

        var found: AppleStatus { AppleStatus.of(reply, from: server, hasSecret: hasSecret) }
    }

    @Test(
        "Each reply has a next step and says how the server is",
        arguments: valid + refusals + secrets + moves + troubles + internalErrors + noAnswers)
    func leads(row: Row) {
        #expect(row.found.step == row.step)
        #expect(row.found.server == row.state)
    }

    @Test("This suite covers every row of the table at least once")
    func isComplete() {
        let rows =
            Self.valid + Self.refusals + Self.secrets + Self.moves + Self.troubles
            + Self.internalErrors + Self.noAnswers
        let found = Set(rows.map { "\($0.found)" })
        #expect(found == Set(AppleStatus.all.map { "\($0)" }))
        #expect(found.count == AppleStatus.all.count)
    }

    /// Every status around those that Apple documents, and the extremes.
    private static let statuses = Array(-2...30) + Array(20_990...21_210) + [.min, .max, 99_999]

    @Test(
        "Any status has a row, and only some statuses verify, refuse or move to the other server",
        arguments: [StoreEnvironment.production, .sandbox], [true, false])
    func everyStatus(server: StoreEnvironment, hasSecret: Bool) {
        for status in Self.statuses {
            for receipt in [Receipt.showing(), nil] {
                for isRetryable in [true, false, nil] {
                    let reply = ValidationReply.status(
                        status, isRetryable: isRetryable, showing: receipt)
                    let row = AppleStatus.of(reply, from: server, hasSecret: hasSecret)
                    switch row.step {
                    case .verify: #expect([0, 21006].contains(status) && receipt != nil)
                    case .refuse(.notAuthentic): #expect(status == 21003 && hasSecret)
                    case .refuse(.accountGone): #expect(status == 21010)
                    case .refuse(.signature): Issue.record("no status says so")
                    case .move(let other):
                        #expect(other != server && [21007, 21008].contains(status))
                    case .retry: #expect(row.server == .troubled)
                    case .end: #expect(row.server != .troubled)
                    }
                }
            }
        }
    }

    @Test("Any HTTP status has a row, and is retried")
    func everyHTTPStatus() {
        for status in Array(-1...1_000) + [.min, .max] {
            let row = AppleStatus.of(.httpStatus(status), from: .production, hasSecret: true)
            #expect(row.step == .retry(.httpStatus))
            #expect(row.server == (status == 429 ? .throttled : .troubled))
        }
    }
}

extension AppleStatusTests {
    private static func both(
        _ status: Int, _ step: AppleStatus.Step, _ state: AppleStatus.Server,
        isRetryable: Bool? = nil, showing receipt: Receipt? = nil
    ) -> [Row] {
        [true, false].map { hasSecret in
            Row(
                reply: .status(status, isRetryable: isRetryable, showing: receipt),
                name: "\(status)\(receipt == nil ? "" : " with a receipt")"
                    + (isRetryable.map { ", retryable: \($0)" } ?? ""),
                hasSecret: hasSecret, step: step, state: state)
        }
    }

    fileprivate static let valid =
        both(0, .verify, .sound, showing: .showing())
        + both(0, .retry(.incompleteAnswer), .troubled)
        + both(21006, .verify, .sound, showing: .showing())
        + both(21006, .retry(.incompleteAnswer), .troubled)

    fileprivate static let refusals =
        both(21010, .refuse(.accountGone), .sound)
        + both(21010, .refuse(.accountGone), .sound, isRetryable: false)
        + [
            Row(reply: .status(21003), step: .refuse(.notAuthentic), state: .sound),
            // A receipt in the answer changes nothing.
            Row(
                reply: .status(21003, showing: .showing()), step: .refuse(.notAuthentic),
                state: .sound),
            Row(
                reply: .status(21003), server: .sandbox, step: .refuse(.notAuthentic),
                state: .sound),
        ]

    fileprivate static let secrets = [
        Row(
            reply: .status(21003), hasSecret: false, step: .end(.sharedSecretMissing),
            state: .sound),
        Row(
            reply: .status(21004), hasSecret: false, step: .end(.sharedSecretMissing),
            state: .secretMismatch),
        Row(reply: .status(21004), step: .end(.sharedSecretRejected), state: .secretMismatch),
    ]

    fileprivate static let moves = [
        Row(reply: .status(21007), step: .move(.sandbox), state: .elsewhere),
        Row(
            reply: .status(21007), server: .sandbox, step: .retry(.appleUnavailable),
            state: .troubled),
        Row(
            reply: .status(21008), server: .sandbox, step: .move(.production), state: .elsewhere),
        Row(reply: .status(21008), step: .retry(.appleUnavailable), state: .troubled),
    ]

    fileprivate static let troubles =
        both(21000, .end(.requestRefused), .notUnderstood)
        + both(21002, .retry(.malformedAccordingToApple), .troubled)
        + [21001, 21005, 21009, 21011, 21099, 21200, 20999, 1, -1, 99_999, .min, .max].flatMap {
            both($0, .retry(.appleUnavailable), .troubled)
        }
        // is_retryable ends only 21100 to 21199.
        + [21001, 21002, 21005, 21009].flatMap { status in
            both(
                status,
                .retry(status == 21002 ? .malformedAccordingToApple : .appleUnavailable),
                .troubled, isRetryable: false)
        }

    fileprivate static let internalErrors = [21100, 21150, 21199].flatMap { status in
        both(status, .retry(.appleUnavailable), .troubled)
            + both(status, .retry(.appleUnavailable), .troubled, isRetryable: true)
            + both(status, .end(.appleUnavailable), .sound, isRetryable: false)
    }

    fileprivate static let noAnswers =
        [
            Row(
                reply: .unreadable(.noStatus), step: .retry(.malformedAnswer), state: .troubled),
            Row(reply: .unreachable, step: .retry(.connectionFailed), state: .troubled),
            Row(reply: .httpStatus(429), step: .retry(.httpStatus), state: .throttled),
        ]
        + [201, 204, 301, 302, 307, 400, 401, 403, 404, 428, 430, 499, 500, 502, 503, 599, 600]
        .map { Row(reply: .httpStatus($0), step: .retry(.httpStatus), state: .troubled) }
}
