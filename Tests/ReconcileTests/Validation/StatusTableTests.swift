import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The table of Apple's replies")
struct StatusTableTests {
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

    @Test("The document has the table of AppleStatus, row by row, and the README links it")
    func table() throws {
        let page = try SourceTree.file(at: "docs/statuses.md").text
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let table = lines.filter { $0.hasPrefix("|") }.joined(separator: "\n")
        let head = [
            "| Reply | Condition | Meaning | What is done | What it says of the server |",
            "|---|---|---|---|---|",
        ]
        let expected = (head + AppleStatus.all.map(\.tableRow)).joined(separator: "\n")
        // Compares bytes, since strings are also equal when they are canonically equivalent.
        let isSame = table.utf8.elementsEqual(expected.utf8)
        #expect(isSame, "Replace the table of docs/statuses.md with this one:\n\(expected)")
        #expect(try SourceTree.file(at: "README.md").text.contains("](docs/statuses.md)"))
    }
}

extension AppleStatus {
    fileprivate var tableRow: String {
        let cells = [replyWords, conditionWords, meaning, whatIsDone, serverWords]
        return "| " + cells.joined(separator: " | ") + " |"
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
        switch condition {
        case .always: "–"
        case .ownServer: "from the server that it names"
        case .noReceipt, .noSecret, .notRetryable: String(condition.rawValue.trimmingPrefix("and "))
        }
    }

    private var whatIsDone: String {
        switch step {
        case .verify: "`verified`"
        case .refuse(let cause):
            "put off to the second look; refused again there: `rejected` (`\(cause.rawValue)`)"
        case .move(.sandbox): "the sandbox is asked"
        case .move(.production): "production is asked"
        case .retry where reply == .failure:
            "asked again, then `unverified` (`timeout`, `connection_failed`, `answer_too_large`)"
        case .retry(let cause): "asked again, then `unverified` (`\(cause.rawValue)`)"
        case .end(let cause): "`unverified` (`\(cause.rawValue)`) at once"
        }
    }

    private var serverWords: String {
        switch server {
        case .sound: "it works"
        case .secretMismatch: "it works; the shared secret is wrong or missing"
        case .notUnderstood: "it works, and cannot read the request"
        case .elsewhere: "it works; the other server knows the receipt"
        case .troubled: "it is in trouble"
        case .throttled: "it asks for fewer requests"
        }
    }
}
