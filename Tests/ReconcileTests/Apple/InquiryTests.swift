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
    static func about(_ detail: String) -> Question {
        var question = PaceScene.question("acme")
        question.detail = detail
        return question
    }
}

extension Look {
    static func verified(_ receipt: Receipt = .showing()) -> Look {
        .concluded(ValidationReport(.verified(receipt)))
    }
}

@Suite("An inquiry about a user's receipts")
struct InquiryTests {
    private var inquiry = Inquiry(
        about: (["a", "b", "c"] as [ReceiptID]).map { .row($0) })

    private func outcomes(_ inquiry: Inquiry) -> [String] {
        inquiry.concluded { refusal, _ in refusal.confirmed }.perReceipt.map(\.validation.words)
    }

    @Test("Rows that share a question share its answer, and a resolved row keeps its own")
    mutating func shared() {
        inquiry.resolve(0, with: ValidationReport(.unusable(.empty)))
        let question = inquiry.ask(.about("one"), for: 1)
        inquiry.share(question, with: 2)
        let taken = inquiry.take()
        #expect(taken == question)
        inquiry.record(.verified(), of: question)
        #expect(outcomes(inquiry) == ["unusable empty", "verified", "verified"])
        let answers = inquiry.concluded { refusal, _ in refusal.confirmed }
        #expect(answers.questionIndices == [nil, 0, 0])
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
        inquiry.leaveOpen(for: .batchSetAside)
        let aside = "unverified batch_set_aside"
        #expect(outcomes(inquiry) == ["unusable empty", aside, aside])
        #expect(!inquiry.hasOpenQuestions)
    }

    @Test("A row that a source forgot is unverified, never left out")
    func forgotten() {
        let words = "unverified incomplete_answer"
        #expect(outcomes(inquiry) == [words, words, words])
    }

    @Test("A row follows the question that answers it last, as from page to page")
    mutating func followed() {
        let first = inquiry.ask(.about("page 1"), for: 0)
        inquiry.share(first, with: 1)
        let second = inquiry.ask(.about("page 2"), for: 0)
        #expect(inquiry.rows(answeredBy: first) == [1])
        #expect(inquiry.rows(answeredBy: second) == [0])
        #expect(inquiry.undecided == [2])
    }
}
