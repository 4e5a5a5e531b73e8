import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: customers, the rows of a user, the transactions by which Apple must be asked, in
/// order, and the outcomes.
@Suite("Customers and the rows of a user", .hangLimit)
struct CustomersAndRowsTests {
    private func scene(
        _ customers: [APICustomer], _ apple: ScriptedApple? = nil,
        _ choice: SourceChoice = .serverAPI,
        first: @escaping @Sendable (ScriptedAPI.Ask) -> [LoopbackServer.Act]? = { _ in nil }
    ) throws -> APIScene {
        try APIScene(ScriptedAPI(customers, first: first), apple, by: choice)
    }

    private func outcomes(_ answers: UserAnswers) -> [ReceiptOutcome] {
        answers.reports.map { ReceiptOutcome($0.validation) }
    }

    @Test("Rows of one customer share one question, which is that of the smallest row")
    func shared() async throws {
        let scene = try scene([APICustomer(.sale("10"), .sale("11"), .sale("12"))])
        let rows: [StoredReceipt] = [.id("r3", "10"), .id("r1", "12"), .id("r2", "12")]
        let inquiry = try await scene.answered(rows)
        #expect(inquiry.askedCustomers == ["12"])
        #expect(inquiry.questions.map(\.receipt) == ["r1"])
        let answers = inquiry.concluded { refusal, _ in refusal.confirmed }
        #expect(outcomes(answers) == [.verified, .verified, .verified])
        #expect(answers.decidingQuestions == [0, 0, 0])
    }

    @Test("The greatest id is asked about first, as a number")
    func order() async throws {
        let scene = try scene([
            APICustomer(.sale("9")), APICustomer(.sale("10")), APICustomer(.sale("100")),
        ])
        let rows: [StoredReceipt] = [.id("r1", "9"), .id("r2", "100"), .id("r3", "10")]
        let inquiry = try await scene.answered(rows)
        #expect(inquiry.askedCustomers == ["100", "10", "9"])
    }

    @Test("An id that an answer shows, as a transaction or as the first of a chain, needs none")
    func needless() async throws {
        let customer = APICustomer(.sale("21", of: "10", until: 20), .sale("22"))
        let scene = try scene([customer, APICustomer(.sale("5"))])
        let rows: [StoredReceipt] = [
            .receipt("r1", naming: "10", "22"), .id("r2", "21"), .id("r3", "5"),
        ]
        let inquiry = try await scene.answered(rows)
        #expect(inquiry.askedCustomers == ["22", "5"])
    }

    @Test("An id that the answer shows only as a line that was set aside needs none either")
    func setAside() async throws {
        let scene = try scene([
            APICustomer(.sale("21"), PayloadJSON.sale("10").without("productId"))
        ])
        let inquiry = try await scene.answered([.id("r1", "10"), .id("r2", "21")])
        #expect(inquiry.askedCustomers == ["21"])
    }

    @Test("A receipt of several customers is verified when each of them is")
    func several() async throws {
        let customers = [APICustomer(.sale("10")), APICustomer(.sale("20"))]
        let rows = [StoredReceipt.receipt("r1", naming: "10", "20")]
        let all = try await scene(customers).answers(rows)
        #expect(outcomes(all) == [.verified])
        #expect(all.rows[0].questions == [0, 1])
        let some = try await scene([customers[1]]).answers(rows)
        #expect(outcomes(some) == [.unverified(.unknownTransaction)])
        #expect(some.decidingQuestion(ofReceiptAt: 0) == 1)
    }

    @Test("Of several customers who are not verified, the first that was asked decides")
    func firstFailure() async throws {
        let scene = try scene([]) { ask in ask.id == "20" ? [.apiError(401, 0)] : nil }
        let answers = try await scene.answers([.receipt("r1", naming: "10", "20")])
        #expect(outcomes(answers) == [.unverified(.apiKeyRejected)])
    }

    @Test("A customer who is refused leaves the others of the user")
    func refused() async throws {
        let scene = try scene([APICustomer(.sale("20"))]) { ask in
            ask.id == "10" ? [.apiError(404, 4_040_001)] : nil
        }
        let inquiry = try await scene.answered([.id("r1", "10"), .id("r2", "20")])
        #expect(
            inquiry.refusals == [RefusedReceipt(receipt: "r1", server: .serverAPI)])
        let answers = inquiry.concluded { refusal, _ in refusal.confirmed }
        #expect(outcomes(answers) == [.rejected(.accountGone), .verified])
        #expect(answers.reports[0].proof == .serverAPI)
    }

    @Test("Rows of other apps, and those stored for another app, are asked about apart")
    func apart() async throws {
        let scene = try scene([APICustomer(.sale("10"), .sale("11"))])
        let rows: [StoredReceipt] = [
            .receipt("r1", naming: "10"), .receipt("r2", naming: "11", for: "other"),
            .id("r3", "11", for: "other"),
        ]
        let inquiry = try await scene.inquiry(rows)
        #expect(inquiry.askedCustomers == ["10", "11", "11"])
        #expect(inquiry.questions.map(\.question.bundle) == ["acme", "acme", "other"])
    }

    // MARK: Both sources

    private static let verified: [LoopbackServer.Act] = [
        .reply(AppleAnswer.verified(["10"].map { AppleAnswer.purchase($0, of: "unlock") }))
    ]

    struct Both: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let receipt: [LoopbackServer.Act]
        let customer: [LoopbackServer.Act]?
        let outcome: ReceiptOutcome
        /// The source of the answer that decides.
        let source: AnswerSource
        /// How many of the two answers show purchases: each counts.
        let shown: Int
    }

    @Test(
        "With both, a row has the outcome of the source that did not verify it, the API's first",
        arguments: [
            Both(
                testDescription: "both verify it", receipt: verified, customer: nil,
                outcome: .verified, source: .serverAPI, shown: 2),
            Both(
                testDescription: "verifyReceipt does not",
                receipt: [.reply(AppleAnswer.status(21004))], customer: nil,
                outcome: .unverified(.sharedSecretRejected), source: .verifyReceipt, shown: 1),
            Both(
                testDescription: "the API does not", receipt: verified,
                customer: [.apiError(401, 0)], outcome: .unverified(.apiKeyRejected),
                source: .serverAPI, shown: 1),
            Both(
                testDescription: "neither does", receipt: [.reply(AppleAnswer.status(21004))],
                customer: [.apiError(401, 0)], outcome: .unverified(.apiKeyRejected),
                source: .serverAPI, shown: 0),
        ])
    func both(row: Both) async throws {
        let apple = try ScriptedApple { _ in row.receipt }
        let scene = try scene([APICustomer(.sale("10"))], apple, .both) { _ in row.customer }
        let answers = try await scene.answers([.receipt("r1", naming: "10")])
        #expect(outcomes(answers) == [row.outcome])
        let deciding = try #require(answers.decidingQuestion(ofReceiptAt: 0))
        #expect(answers.asked[deciding].question.source == row.source)
        #expect(answers.asked.count { $0.report.validation.isVerified } == row.shown)
        let servers = Set(answers.requests.all.map(\.server))
        #expect(servers == [.production, .serverAPI])
    }
}
