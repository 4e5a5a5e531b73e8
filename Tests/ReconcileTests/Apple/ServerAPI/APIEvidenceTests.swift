import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a customer with its label, of whom everything must be read again from evidence.
@Suite("Evidence of an answer of the App Store Server API", .hangLimit)
struct APIEvidenceTests {
    struct Answered: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let customer: APICustomer

        init(_ label: String, _ customer: APICustomer) {
            testDescription = label
            self.customer = customer
        }
    }

    private static let whole: APICustomer = {
        var customer = APICustomer(pages: [
            [.sale("10"), .sale("11", of: "10", until: 20)],
            [.sale("12", of: "10", until: -5), .sale("13")],
        ])
        let renewal = PayloadJSON.renewal.with("originalTransactionId", #""10""#)
        customer.renewals = [(JWSForge().text(renewal), 1)]
        customer.app = JWSForge().text(.appTransaction)
        return customer
    }()

    private func kept(_ scene: APIScene, _ look: QuestionResult) throws -> KeptAnswer {
        guard case .concluded(let report) = look else { throw CancellationError() }
        let question = Question(subject: .customer("10"), bundle: "acme")
        let live = try #require(scene.asking.live)
        return try #require(live.kept(report, to: question, of: "r1"))
    }

    @Test("It is the signed strings as received, each ended by a line feed, in Apple's order")
    func form() async throws {
        let scene = try APIScene(ScriptedAPI([Self.whole]), premium: ["acme"])
        let look = try await scene.look()
        let strings =
            Self.whole.pages.flatMap(\.self) + Self.whole.renewals.map(\.signed)
            + [Self.whole.app].compactMap(\.self)
        let body = try #require(look.body)
        #expect(body.received == strings.flatMap { $0 + [UInt8(ascii: "\n")] })
        let kept = try kept(scene, look)
        #expect(kept.body == body)
        #expect(kept.bodyDigest == Digest.sha256(body.received).bytes)
        let history = try #require(look.history)
        let signature = scene.asking.source.signature(on: body, sayingThat: history)
        #expect(signature?.isSigned == true)
        #expect(signature?.contradictions == [])
    }

    @Test(
        "Read again it says what was judged, but for Apple's status",
        arguments: [
            Answered("all parts", whole), Answered("one purchase", APICustomer(.sale("10"))),
            Answered(
                "a transaction on two pages",
                APICustomer(pages: [[.sale("10")], [.sale("10"), .sale("11")]])),
            Answered(
                "one that contradicts itself",
                APICustomer(
                    .sale("10"), PayloadJSON.sale("10").with("productId", #""full""#))),
            Answered(
                "without an id or a product",
                APICustomer(
                    .sale("10"), PayloadJSON.sale("11").without("transactionId"),
                    PayloadJSON.sale("12").without("productId"))),
            Answered(
                "of the sandbox",
                APICustomer(PayloadJSON.sale("10").of("Sandbox")).inSandbox()),
            Answered(
                "a date with a fraction",
                APICustomer(PayloadJSON.sale("10").with("purchaseDate", "1789136000000.75"))),
            Answered(
                "texts with escapes and other letters",
                APICustomer(PayloadJSON.sale("10").with("productId", #""pr\u00f6\"\\é""#))),
        ])
    func again(row: Answered) async throws {
        let scene = try APIScene(ScriptedAPI([row.customer]), premium: ["acme"])
        let look = try await scene.look()
        var judged = try #require(look.history)
        for index in judged.renewals.indices { judged.renewals[index].appleStatus = nil }
        let live = try #require(scene.asking.live)
        let again = live.report(on: try kept(scene, look))
        #expect(again.validation == .verified(judged))
        #expect(again.body == look.body)
    }

    @Test("A replay asks the same, is sent nothing, and comes to the same")
    func replayed() async throws {
        let customers = [APICustomer(.sale("10"), .sale("11")), APICustomer(.sale("20"))]
        let scene = try APIScene(ScriptedAPI(customers))
        let rows: [StoredReceipt] = [
            .receipt("r1", naming: "10", "20"), .id("r2", "11"), .id("r3", "99"),
        ]
        let inquiry = try await scene.answered(rows)
        let before = inquiry.concluded { refusal, _ in refusal.confirmed }
        let live = try #require(scene.asking.live)
        let evidence = before.asked.compactMap { asked in
            live.kept(asked.report, to: asked.question, of: asked.receipt)
        }
        let replay = KeptAnswers(of: live, provenBy: AppleSignature(.testing)) { keys, _ in
            evidence.filter { keys.contains($0.request) }
        }
        let requests = scene.api.asks.count
        var again = try await replay.inquiry(about: rows, of: "ann")
        try await replay.recall(&again, of: "ann")
        let after = again.concluded { refusal, _ in refusal.confirmed }
        #expect(again.askedCustomers == inquiry.askedCustomers)
        #expect(after.decidingQuestions == before.decidingQuestions)
        #expect(after.reports.map(\.validation) == before.reports.map(\.validation))
        #expect(after.requests == RequestRecord())
        #expect(scene.api.asks.count == requests)
    }

    @Test(
        "Other bytes are no evidence of this form",
        arguments: [
            "", "\n", "abc\n", #"{"status":0}"#,
        ])
    func none(text: String) {
        let body = AnswerBody(bytes: Array(text.utf8), server: .serverAPI)
        #expect(ServerAPI.history(in: body) == nil)
    }
}
