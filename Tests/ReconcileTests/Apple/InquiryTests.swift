import Testing

@testable import Reconcile
@testable import TestSupport

extension StoredReceipt {
    static func row(_ id: ReceiptID, _ data: String = TestDatabase.receipt("r")) -> StoredReceipt {
        StoredReceipt(
            id: id, user: "ann", bundle: "acme", data: ReceiptData(data), storedAt: .asOf)
    }
}

extension Question {
    /// Any question, which a test knows by its name.
    static func about(_ name: String) -> Question {
        let bytes = Array(name.utf8)
        return Question(SendableReceipt(encoding: bytes), storedFor: "acme")
    }

    /// As `about` was given it.
    var name: String? { receipt.map { String(decoding: $0.bytes, as: UTF8.self) } }
}

extension UserAnswers {
    var reports: [ValidationReport] { rows.indices.map { report(ofReceiptAt: $0) } }

    /// Of each row, the question that decides its outcome.
    var decidingQuestions: [Int?] { rows.indices.map { decidingQuestion(ofReceiptAt: $0) } }
}

extension QuestionResult {
    static func verified(_ receipt: Receipt = .showing()) -> QuestionResult {
        .concluded(ValidationReport(.verified(receipt)))
    }

    static func refused(
        at server: AppleServer = .production, after requests: RequestRecord = RequestRecord()
    ) -> QuestionResult {
        .refused(
            Refusal(
                rejection: .notAuthentic, server: server, attempts: AttemptSummary(),
                requests: requests, body: nil))
    }

    static func left(ofStoppedApp isOfStoppedApp: Bool) -> QuestionResult {
        var report = ValidationReport(.unverified(.timeout))
        report.isOfStoppedApp = isOfStoppedApp
        return .concluded(report)
    }
}

extension RequestRecord {
    static func sent(to servers: AppleServer...) -> RequestRecord {
        servers.reduce(into: RequestRecord()) { $0.begin(at: $1, isRetry: false) }
    }
}

/// To add a case: a row with a label, the results of the questions in order (nil: not answered
/// yet), and what the inquiry concludes; or a test that asks and records by itself.
@Suite("An inquiry about a user's receipts")
struct InquiryTests {
    private var inquiry = Inquiry(
        about: (["a", "b", "c"] as [ReceiptID]).map { .row($0) })

    private func outcomes(_ inquiry: Inquiry) -> [ReceiptOutcome] {
        inquiry.concluded { refusal, _ in refusal.confirmed }.reports.map { report in
            ReceiptOutcome(report.validation)
        }
    }

    @Test("Rows that share a question share its answer, and a resolved row keeps its own")
    mutating func shared() {
        inquiry.resolve(0, with: ValidationReport(.unusable(.empty)))
        let question = inquiry.ask(.about("one"), for: 1)
        inquiry.share(question, with: 2)
        let taken = inquiry.take()
        #expect(taken == question)
        inquiry.record(.verified(), of: question)
        #expect(outcomes(inquiry) == [.unusable(.empty), .verified, .verified])
        let answers = inquiry.concluded { refusal, _ in refusal.confirmed }
        #expect(answers.decidingQuestions == [nil, 0, 0])
    }

    @Test("Each open question is taken once, in order")
    mutating func order() {
        for row in 0..<3 { inquiry.ask(.about("\(row)"), for: row) }
        let taken = [inquiry.take(), inquiry.take(), inquiry.take(), inquiry.take()]
        #expect(taken == [0, 1, 2, nil])
    }

    @Test("A question among others that are open is not taken as the only one")
    mutating func notOnly() {
        inquiry.ask(.about("one"), for: 0)
        inquiry.ask(.about("two"), for: 1)
        let only = inquiry.takeOnly()
        #expect(only == nil)
    }

    @Test("The only open question is taken as such, and so is one that its answer leads to")
    mutating func only() {
        inquiry.ask(.about("page 1"), for: 0)
        let first = inquiry.takeOnly()
        let early = inquiry.takeOnly()
        inquiry.record(.verified(), of: 0)
        inquiry.ask(.about("page 2"), for: 0)
        let second = inquiry.takeOnly()
        #expect(first == 0)
        #expect(early == nil, "the first is not answered yet")
        #expect(second == 1)
    }

    @Test("It is open until every question has an answer")
    mutating func open() {
        #expect(!inquiry.hasOpenQuestions)
        inquiry.ask(.about("one"), for: 0)
        _ = inquiry.take()
        #expect(inquiry.hasOpenQuestions)
        inquiry.record(.verified(), of: 0)
        #expect(!inquiry.hasOpenQuestions)
    }

    @Test("What is left is left for its cause, and what is resolved stays so")
    mutating func left() {
        inquiry.resolve(0, with: ValidationReport(.unusable(.empty)))
        inquiry.ask(.about("one"), for: 1)
        inquiry.skipQuestions(for: .batchSetAside)
        let skipped = ReceiptOutcome.unverified(.batchSetAside)
        #expect(outcomes(inquiry) == [.unusable(.empty), skipped, skipped])
        #expect(!inquiry.hasOpenQuestions)
    }

    @Test("A row that a source forgot is unverified, never left out")
    func forgotten() {
        let incomplete = ReceiptOutcome.unverified(.incompleteAnswer)
        #expect(outcomes(inquiry) == [incomplete, incomplete, incomplete])
    }

    @Test("A row is undecided until a question is asked or shared for it, or it is resolved")
    mutating func undecided() {
        #expect(inquiry.undecided == [0, 1, 2])
        let question = inquiry.ask(.about("one"), for: 0)
        #expect(inquiry.undecided == [1, 2])
        inquiry.share(question, with: 1)
        #expect(inquiry.undecided == [2])
        inquiry.resolve(2, with: ValidationReport(.unusable(.empty)))
        #expect(inquiry.undecided.isEmpty)
    }

    @Test(
        "It is refused if one answer was a refusal",
        arguments: [
            (label: "not answered", results: [QuestionResult?](), isRefused: false),
            ("verified", [.verified()], false),
            ("refused", [.refused()], true),
            ("verified, then refused", [.verified(), .refused()], true),
            ("refused, then open", [.refused(), nil], true),
        ])
    mutating func refused(label: String, results: [QuestionResult?], isRefused: Bool) {
        answer(with: results)
        #expect(inquiry.isRefused == isRefused)
    }

    @Test("The refused questions are those, in order, and their rows name the server that refused")
    mutating func refusedQuestions() {
        answer(with: [.refused(), .verified(), .refused(at: .sandbox)])
        #expect(inquiry.refusedQuestions.map(\.name) == ["0", "2"])
        let refusals = [
            RefusedReceipt(receipt: "a", server: .production),
            RefusedReceipt(receipt: "c", server: .sandbox),
        ]
        #expect(inquiry.refusals == Set(refusals))
    }

    @Test("A question that is answered after a refusal is refused no longer")
    mutating func answeredAfterRefusal() {
        answer(with: [.refused()])
        inquiry.record(.verified(), of: 0)
        #expect(!inquiry.isRefused)
        #expect(inquiry.refusedQuestions.isEmpty)
        #expect(!inquiry.hasOpenQuestions)
    }

    @Test(
        "It has left a stopped app if one report says so",
        arguments: [
            (label: "not answered", results: [QuestionResult?](), hasLeft: false),
            ("verified", [.verified()], false),
            ("refused", [.refused()], false),
            ("left for another cause", [.left(ofStoppedApp: false)], false),
            ("left, since the app is stopped", [.left(ofStoppedApp: true)], true),
            ("one of two left", [.verified(), .left(ofStoppedApp: true)], true),
        ])
    mutating func stoppedApp(label: String, results: [QuestionResult?], hasLeft: Bool) {
        answer(with: results)
        #expect(inquiry.hasLeftStoppedApp == hasLeft)
    }

    @Test("Its requests are those of all questions, in order, also of a refused one")
    mutating func requests() {
        var verified = ValidationReport(.verified(.showing()))
        verified.requests = .sent(to: .production, .sandbox)
        answer(with: [.concluded(verified), nil, .refused(after: .sent(to: .production))])
        let servers = inquiry.requests.all.map(\.server)
        #expect(servers == [.production, .sandbox, .production])
    }

    @Test("Rows that share a question count its requests once")
    mutating func requestsOnce() {
        let question = inquiry.ask(.about("one"), for: 0)
        inquiry.share(question, with: 1)
        inquiry.record(.refused(after: .sent(to: .production)), of: question)
        #expect(inquiry.requests.sent == 1)
    }

    @Test("Receipt data is forgotten, and everything else of a row is kept")
    mutating func forgetData() {
        let before = inquiry.receipts
        inquiry.forgetData()
        #expect(inquiry.receipts.map(\.id) == before.map(\.id))
        #expect(inquiry.receipts.map(\.bundle) == before.map(\.bundle))
        #expect(inquiry.receipts.map(\.storedAt) == before.map(\.storedAt))
        #expect(before.allSatisfy { $0.data != ReceiptData(text: []) })
        #expect(inquiry.receipts.allSatisfy { $0.data == ReceiptData(text: []) })
    }

    /// Asks one question a row, and answers it unless the answer is nil.
    private mutating func answer(with results: [QuestionResult?]) {
        for (row, result) in results.enumerated() {
            let question = inquiry.ask(.about("\(row)"), for: row)
            if let result { inquiry.record(result, of: question) }
        }
    }
}
