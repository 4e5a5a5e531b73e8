import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: rows named after transactions of `customers`, and the pages that are `asked` for.
@Suite("A source that asks about customers", .hangLimit)
struct CustomerSourceTests {
    private static let customers: [[[TransactionID]]] = [[["11"], ["12", "13"]], [["21"]]]

    private let source: CustomerSource

    init() throws { source = try CustomerSource(customers: Self.customers, sandboxed: "21") }

    private func asking(_ source: CustomerSource? = nil) -> Asking {
        var settings = ValidationSettings()
        settings.rate = 10_000
        settings.sandboxRate = 10_000
        settings.burst = 10_000
        settings.maxAttempts = 2
        return Asking(source ?? self.source, settings, provenBy: AppleSignature(.testing))
    }

    /// Asks about rows that are named after a transaction.
    private func answered(_ rows: [ReceiptID]) async throws -> Inquiry {
        let asking = asking()
        var inquiry = try await source.inquiry(about: rows.map { .row($0) }, of: "ann")
        try await asking.answer(&inquiry, atMost: 4) { asked in
            try await asking.look(at: asked.question, of: asked.receipt)
        }
        return inquiry
    }

    private func answers(_ inquiry: Inquiry) -> UserAnswers {
        inquiry.concluded { refusal, _ in refusal.confirmed }
    }

    private func transactions(_ answers: UserAnswers, ofRow row: Int) -> [String] {
        guard case .verified(let history) = answers.perReceipt[row].validation else { return [] }
        return history.transactions.map(\.id.text)
    }

    private func asked(
        _ transaction: TransactionID, _ number: Int, at server: AppleServer = .production
    ) -> CustomerSource.Asked {
        .init(page: .init(transaction: transaction, number: number), server: server)
    }

    @Test("The answers lead to the next pages, and the last one stands for the customer's rows")
    func pages() async throws {
        let answers = answers(try await answered(["11", "13", "12"]))
        #expect(source.asked.current == [asked("11", 1), asked("11", 2)])
        #expect(answers.questionIndices == [1, 1, 1])
        #expect(transactions(answers, ofRow: 2) == ["11", "12", "13"])
    }

    @Test("A row that an answer shows is not asked about; another customer's row is")
    func needless() async throws {
        let answers = answers(try await answered(["12", "21", "13"]))
        let all = [
            asked("12", 1), asked("12", 2), asked("21", 1), asked("21", 1, at: .sandbox),
        ]
        #expect(source.asked.current == all)
        #expect(transactions(answers, ofRow: 0) == ["11", "12", "13"])
        #expect(transactions(answers, ofRow: 1) == ["21"])
        #expect(answers.questionIndices == [1, 2, 1])
    }

    @Test("The server that answered is the one to which Apple sent the question")
    func server() async throws {
        let answers = answers(try await answered(["21"]))
        #expect(answers.perReceipt[0].attempts.server == .sandbox)
        #expect(answers.requests.all.map(\.server) == [.production, .sandbox])
    }

    @Test("The server that is asked first is the source's own")
    func firstServer() async throws {
        var source = try CustomerSource(customers: Self.customers)
        source.firstServer = .sandbox
        let inquiry = try await source.inquiry(about: [.row("21")], of: "ann")
        _ = try await asking(source).look(at: inquiry.questions[0].question, of: "21")
        #expect(source.asked.current == [asked("21", 1, at: .sandbox)])
    }

    @Test("A refusal is one row's, and the others are asked about after it")
    func refused() async throws {
        let inquiry = try await answered(["99", "21"])
        #expect(inquiry.refusals == ["99": .production])
        let other = answers(inquiry).perReceipt[1].validation
        #expect(ReceiptOutcome(other) == .verified)
    }

    @Test("A replay reads every kept page and comes to the same")
    func replayed() async throws {
        let inquiry = try await answered(["12", "21", "13"])
        let before = answers(inquiry)
        let evidence = before.asked.compactMap { asked, report in
            source.kept(report, to: asked.question, of: asked.receipt)
        }
        let kept = KeptAnswers(of: source, provenBy: AppleSignature(.testing)) { keys, _ in
            evidence.filter { keys.contains($0.request) }
        }
        var again = try await kept.inquiry(about: inquiry.receipts, of: "ann")
        try await kept.recall(&again, of: "ann")
        let after = answers(again)
        #expect(after.questionIndices == before.questionIndices)
        #expect(after.perReceipt.map(\.validation) == before.perReceipt.map(\.validation))
        #expect(after.requests == RequestRecord())
        #expect(source.asked.current.count == 4, "nobody is asked again")
    }
}
