import Testing

@testable import Reconcile

@Suite("The document about Apple's replies")
struct StatusPageTests {
    @Test("The document has the table of AppleStatus, row by row")
    func table() throws {
        let page = try SourceTree.file(at: "docs/statuses.md").text
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let table = lines.filter { $0.hasPrefix("|") }.joined(separator: "\n")
        // Compares bytes, since strings are also equal when they are canonically equivalent.
        let isSame = table.utf8.elementsEqual(Self.table.utf8)
        #expect(isSame, "Replace the table of docs/statuses.md with this one:\n\(Self.table)")
    }

    @Test("The README links the document")
    func isLinked() throws {
        let text = try SourceTree.file(at: "README.md").text
        #expect(text.contains("](docs/statuses.md)"))
    }

    private static var table: String {
        let head = [
            "| Reply | Condition | Meaning | What is done | What it says of the server |",
            "|---|---|---|---|---|",
        ]
        return (head + AppleStatus.all.map(\.tableRow)).joined(separator: "\n")
    }
}

extension AppleStatus {
    fileprivate var tableRow: String {
        let cells = [reply.words, condition.words, meaning, whatIsDone, server.words]
        return "| " + cells.joined(separator: " | ") + " |"
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
}

extension AppleStatus.Reply {
    fileprivate var words: String {
        switch self {
        case .status([Int.min...Int.max]): "any other status"
        case .status(let codes): "status " + codes.map(\.words).joined(separator: ", ")
        case .unreadable: "HTTP 200 without a status"
        case .http(Int.min...Int.max): "any other HTTP status"
        case .http(let codes): "HTTP " + codes.words
        case .failure: "no HTTP answer"
        }
    }
}

extension ClosedRange<Int> {
    fileprivate var words: String {
        lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)–\(upperBound)"
    }
}

extension AppleStatus.Condition {
    fileprivate var words: String {
        switch self {
        case .always: "–"
        case .ownServer: "from the server that it names"
        case .noReceipt, .noSecret, .notRetryable: String(rawValue.trimmingPrefix("and "))
        }
    }
}

extension AppleStatus.Server {
    fileprivate var words: String {
        switch self {
        case .sound: "it works"
        case .secretMismatch: "it works; the shared secret is wrong or missing"
        case .notUnderstood: "it works, and cannot read the request"
        case .elsewhere: "it works; the other server knows the receipt"
        case .troubled: "it is in trouble"
        case .throttled: "it asks for fewer requests"
        }
    }
}
