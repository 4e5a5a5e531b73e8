import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import reconcile_job

/// Counts the customers of seed 1 and the job's findings about them.
@Suite("A census of the customers of seed 1")
struct CensusTests {
    private static let store = SimulatedStore.demo(customers: 3_000)
    private static let customers = (0..<store.customers).map { store.customer($0) }

    @Test("Every story, flaw, receipt form, kind of damage and quirk occurs several times")
    func customers() {
        let files = Self.customers.flatMap(\.receipts)
        expectSeveral(of: Story.allCases, in: Self.customers.map(\.card.story))
        expectSeveral(of: Flaw.allCases, in: Self.customers.map { $0.flaw(on: 1) })
        expectSeveral(of: ReceiptFile.Form.allCases, in: files.map(\.form))
        expectSeveral(of: ReceiptFile.Damage.allCases, in: files.map(\.damage))
        let quirks = Self.customers.flatMap { customer in
            customer.receipts.filter { $0.form == .genuine }.flatMap { file in
                let mark = ReceiptMark(
                    seed: 1, customer: customer.number, account: file.account, number: file.number)
                return AnswerQuirk.drawn(for: mark, of: customer.accounts[file.account])
            }
        }
        expectSeveral(of: AnswerQuirk.allCases, in: quirks)
        // Findings that need two nights, or two users, have customers.
        let reversed = Self.customers.filter { $0.card.story == .refundReversed }
        expectSeveral(of: [Flaw.none, .notGranted], in: reversed.map { $0.flaw(on: 2) })
        #expect(Self.customers.count { $0.users.count > 1 && $0.flaw(on: 1) == .none } >= 2)
        let purchases = Self.customers.map { customer in
            customer.accounts.flatMap { $0.seen(at: Self.store.now) }
        }
        #expect(purchases.count { $0.contains { !$0.product.isInCatalog } } >= 2)
    }

    @Test("Every other kind of finding occurs, most rows agree with Apple, no right row is accused")
    func findings() throws {
        let plain: Set<Story> = [
            .subscriber, .yearlySubscriber, .magazineReader, .trialing, .introductory,
            .notRenewing, .owner, .passHolder,
        ]
        var kinds: [FindingKind] = []
        var tally = EntitlementTally()
        var served = 0
        for customer in Self.customers {
            let isPlain = plain.contains(customer.card.story) && customer.flaw(on: 1) == .none
            if isPlain { served += 1 }
            for judgement in try judgements(of: customer) {
                kinds += judgement.findings.map(\.kind)
                tally += judgement.entitlements
                let leaks = judgement.findings.filter { isPlain && $0.direction == .leak }
                #expect(leaks.map(\.explanation) == [], "customer \(customer.number)")
            }
        }
        // Those that one customer in one run, with only the simulator's signatures, cannot show.
        let others: Set = [
            "refund_reversed", "refund_reversed_not_restored", "shared_original_transaction",
            "shared_receipt", "unknown_product", "receipt_contradicts_answer",
            "download_key_for_revoked_product", "download_key_orphaned", "product_not_unlocked",
        ]
        expectSeveral(of: FindingKind.allCases.filter { !others.contains($0.rawValue) }, in: kinds)
        #expect(tally.inScope > 2_500 && served > 500)
        #expect(tally.consistent * 100 > tally.inScope * 80 && tally.consistent < tally.inScope)
    }

    private func expectSeveral<Case: Hashable>(
        of all: [Case], in found: [Case], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let rare = all.filter { one in found.count { $0 == one } < 2 }
        #expect(rare == [], sourceLocation: sourceLocation)
    }

    /// The job's judgement of a customer's users, without a network.
    private func judgements(of customer: Customer) throws -> [Judgement] {
        let settings = JudgingSettings(asOf: Instant(Self.store.now))
        let judge = Judge(catalog: SimulatedCatalog.catalog, settings: settings)
        let receipts = Self.store.receipts(of: customer.number..<customer.number + 1)
            .map(StoredReceipt.init)
        let rows = Self.store.entitlements(of: customer.number).map(StoredEntitlement.init)
        return try customer.users.map { user in
            let evidence = try receipts.filter { $0.user.text == user }.map {
                ReceiptEvidence(
                    id: $0.id, bundle: $0.bundle, storedAt: $0.storedAt,
                    validation: try validation(of: LocalReceipt($0.data)))
            }
            let rows = rows.filter { $0.user.text == user }
            return judge.judgement(
                of: UserEvidence(user: UserID(user), receipts: evidence, entitlements: rows))
        }
    }

    private func validation(of receipt: LocalReceipt) throws -> Validation {
        if case .unusable(let why) = receipt { return .unusable(why) }
        guard case .sendable(let sendable) = receipt else { throw CancellationError() }
        let secret = SimulatedApp.all.first { $0.bundle == sendable.bundle?.text }?.secret
        let text = String(decoding: sendable.base64, as: UTF8.self)
        let body = #"{"receipt-data":"\#(text)","password":"\#(try #require(secret))"}"#
        var answer = try answer(to: body, at: .production)
        if answer.status.rawValue == 21_007 { answer = try self.answer(to: body, at: .sandbox) }
        switch answer.status.rawValue {
        case 0, 21_006: return .verified(try #require(answer.receipt))
        case 21_003: return .rejected(.notAuthentic)
        case let other:
            try #require(other == 21_010)
            return .rejected(.accountGone)
        }
    }

    private func answer(
        to body: String, at server: SimulatedEnvironment
    ) throws -> VerifyReceiptAnswer {
        try VerifyReceiptAnswer.read(
            Verifier(store: Self.store).answer(to: Array(body.utf8), at: server).body,
            from: server == .sandbox ? .sandbox : .production)
    }
}
