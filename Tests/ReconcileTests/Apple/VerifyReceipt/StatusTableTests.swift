import Foundation
import Testing

@testable import Reconcile

/// To add a case: a test of all statuses, or one with a reply and the step that follows.
@Suite("The table of Apple's replies")
struct StatusTableTests {
    @Test("Any status has a row; only some verify, refuse, or move to the other server")
    func everyStatus() {
        for status in Array(-2...30) + Array(20_990...21_210) + [.min, .max, 99_999] {
            for number in 0..<24 {
                let receipt = number < 12 ? Receipt.showing() : nil
                let server = number % 2 == 0 ? AppleServer.production : .sandbox
                let hasSecret = number % 12 < 6
                let reply = ValidationReply.status(
                    status, isRetryable: [true, false, nil][number % 3], showing: receipt)
                let row = AppleStatus.of(reply, from: server, hasSecret: hasSecret)
                let reason: Comment = "status \(status) of \(server), reply \(number)"
                switch row.step {
                case .verify:
                    #expect([0, 21006].contains(status), reason)
                    #expect(receipt != nil, reason)
                case .refuse(.notAuthentic):
                    #expect(status == 21003, reason)
                    #expect(hasSecret, reason)
                case .refuse(.accountGone): #expect(status == 21010, reason)
                case .refuse(.signature): Issue.record(reason)
                case .move(let other):
                    #expect(other != server, reason)
                    #expect([21007, 21008].contains(status), reason)
                case .retry:
                    #expect(row.server == (isOutage(status) ? .troubled : .ambiguous), reason)
                case .end: #expect(row.server != .troubled, reason)
                }
            }
        }
    }

    @Test("Any HTTP status is retried; only some say nothing of the server")
    func everyHTTPStatus() {
        for status in Array(-1...1_000) + [.min, .max] {
            let row = AppleStatus.of(.httpStatus(status), from: .production, hasSecret: true)
            #expect(row.step == .retry(.httpStatus), "HTTP \(status)")
            let server: AppleStatus.Server = (400...499 ~= status) ? .ambiguous : .troubled
            #expect(row.server == (status == 429 ? .throttled : server), "HTTP \(status)")
        }
    }

    /// Whether Apple documents the status as a trouble of its own servers.
    private func isOutage(_ status: Int) -> Bool {
        [21001, 21005, 21007, 21008, 21009].contains(status) || 21100...21199 ~= status
    }

    @Test("The document has the table of AppleStatus, row by row, and the README links it")
    func table() throws {
        try StatusPage.check(.verifyReceipt, AppleStatus.all.map(\.tableRow))
        #expect(try SourceTree.file(at: "README.md").text.contains("](docs/statuses.md)"))
    }
}

extension AppleStatus {
    fileprivate var tableRow: String {
        let health = Self.serverWords[server] ?? "\(server)"
        return "| \(replyWords) | \(conditionWords) | \(meaning) | \(whatIsDone) | \(health) |"
    }

    private var replyWords: String {
        func words(_ codes: ClosedRange<Int>) -> String {
            codes.count == 1 ? "\(codes.lowerBound)" : "\(codes.lowerBound)–\(codes.upperBound)"
        }
        return switch reply {
        case .status([Int.min...Int.max]): "any other status"
        case .status(let codes): "status " + codes.map(words).joined(separator: ", ")
        case .unreadable: "HTTP 200 without a status"
        case .http(Int.min...Int.max): "any other HTTP status"
        case .http(let codes): "HTTP " + words(codes)
        case .failure: "no HTTP answer"
        }
    }

    private var conditionWords: String {
        if condition == .always { return "–" }
        let words = String(condition.rawValue.trimmingPrefix("and "))
        return condition == .ownServer ? "from the server that it names" : words
    }

    private var whatIsDone: String {
        switch step {
        case .verify: "`verified`"
        case .refuse(let cause):
            "put off to the second look; refused again there: `rejected` (`\(cause.rawValue)`)"
        case .move(let server): "\(server == .sandbox ? "the sandbox" : "production") is asked"
        case .retry where reply == .failure:
            "retried, then `unverified` (`timeout`, `connection_failed`, `answer_too_large`)"
        case .retry(let cause): "retried, then `unverified` (`\(cause.rawValue)`)"
        case .end(let cause): "`unverified` (`\(cause.rawValue)`) at once"
        }
    }

    private static let serverWords: [Server: String] = [
        .sound: "it works", .secretMismatch: "it works; the shared secret is wrong or missing",
        .notUnderstood: "it works, and cannot read the request",
        .elsewhere: "it works; the other server knows the receipt",
        .ambiguous: "it is in trouble, if Apple wrote the receipt's bytes; else nothing",
        .troubled: "it is in trouble", .throttled: "it asks for fewer requests",
    ]
}
