import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import reconcile_job

/// Counts the customers of seed 1 and the job's findings about them.
@Suite("A census of the customers of seed 1")
struct CensusTests {
    private static let store = SimulatedStore.demo()

    @Test("Every story, flaw, receipt form and kind of damage occurs several times")
    func customers() {
        let customers = (0..<Self.store.customers).map { Self.store.customer($0) }
        let files = customers.flatMap(\.receipts)
        report("story", Story.allCases, customers.map(\.card.story))
        report("flaw", Flaw.allCases, customers.map { $0.flaw(on: 1) })
        report("form", ReceiptFile.Form.allCases, files.map(\.form))
        report("damage", ReceiptFile.Damage.allCases, files.map(\.damage))
        let quirks = customers.flatMap { customer in
            customer.receipts.filter { $0.form == .genuine }.flatMap { file in
                AnswerQuirk.drawn(
                    for: ReceiptMark(
                        seed: 1, customer: customer.number, account: file.account,
                        number: file.number),
                    of: customer.accounts[file.account])
            }
        }
        report("quirk", AnswerQuirk.allCases, quirks)
    }

    @Test("Every kind of finding occurs, and most rows agree with Apple")
    func findings() throws {
        var (kinds, tally): ([FindingKind], EntitlementTally) = ([], EntitlementTally())
        for number in 0..<Self.store.customers {
            for judgement in try judgements(of: number) {
                kinds += judgement.findings.map(\.kind)
                tally += judgement.entitlements
            }
        }
        report("finding", FindingKind.allCases.filter(Self.isOfOneNight), kinds)
        #expect(tally.inScope > 2_500)
        #expect(tally.consistent * 100 > tally.inScope * 80)
        #expect(tally.consistent < tally.inScope)
    }

    @Test("A customer whose stored rows agree with Apple gets no accusing finding")
    func noFalseAccusation() throws {
        let plain: Set<Story> = [
            .subscriber, .yearlySubscriber, .magazineReader, .trialing, .introductory,
            .notRenewing, .owner, .passHolder,
        ]
        var served = 0
        for number in 0..<Self.store.customers {
            let customer = Self.store.customer(number)
            guard plain.contains(customer.card.story), customer.flaw(on: 1) == .none else {
                continue
            }
            served += 1
            for judgement in try judgements(of: number) {
                let leaks = judgement.findings.filter { $0.direction == .leak }
                #expect(leaks.map(\.explanation) == [], "customer \(number)")
            }
        }
        #expect(served > 500)
    }

    /// Whether one customer in one run can show the kind, with only the simulator's signatures.
    private static func isOfOneNight(_ kind: FindingKind) -> Bool {
        ![
            "refund_reversed", "refund_reversed_not_restored", "shared_original_transaction",
            "shared_receipt", "unknown_product", "receipt_contradicts_answer",
            "download_key_for_revoked_product", "download_key_orphaned", "product_not_unlocked",
        ].contains(kind.rawValue)
    }

    /// A kind of SPEC §5 that needs an earlier run or several users' judgements, and the customer
    /// whom it will concern.
    struct Prospect: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isOne: @Sendable (Customer) -> Bool
    }

    @Test(
        "Every kind of flaw has customers, including flaws of later nights",
        arguments: [
            Prospect(testDescription: "freemium_undecidable") {
                $0.card.story == .unsurePioneer && $0.accounts[0].app == .atlas
            },
            Prospect(testDescription: "freemium_granted_not_paid") {
                $0.flaw(on: 1) == .believedPaid && $0.accounts[0].app == .atlas
            },
            Prospect(testDescription: "freemium_paid_not_granted") {
                $0.card.story == .pioneer && $0.flaw(on: 1) == .notGranted
            },
            Prospect(testDescription: "refund_reversed") {
                $0.card.story == .refundReversed && $0.flaw(on: 2) == .none
            },
            Prospect(testDescription: "refund_reversed_not_restored") {
                $0.card.story == .refundReversed && $0.flaw(on: 2) == .notGranted
            },
            Prospect(testDescription: "upgrade_not_applied") {
                CensusTests.levels(of: $0) { $0 < $1 }
            },
            Prospect(testDescription: "downgrade_not_applied") {
                CensusTests.levels(of: $0) { $0 > $1 }
            },
            Prospect(testDescription: "product_mismatch") { $0.flaw(on: 1) == .sameLevel },
            Prospect(testDescription: "duplicate_grant") { $0.flaw(on: 1) == .duplicate },
            Prospect(testDescription: "ownership_mismatch") { $0.flaw(on: 1) == .wrongOwnership },
            Prospect(testDescription: "label_stale") { $0.flaw(on: 1) == .staleLabel },
            Prospect(testDescription: "shared_original_transaction") {
                $0.users.count > 1 && $0.flaw(on: 1) == .none
            },
            Prospect(testDescription: "unknown_product") { customer in
                customer.accounts.flatMap { $0.seen(at: CensusTests.store.now) }
                    .contains { !$0.product.isInCatalog }
            },
            Prospect(testDescription: "implausible_dates") { $0.card.story == .implausibleDates },
            Prospect(testDescription: "parse_anomaly") { $0.accounts.contains(where: \.isGarbled) },
        ])
    func holds(prospect: Prospect) {
        let count = (0..<Self.store.customers).count { prospect.isOne(Self.store.customer($0)) }
        print("prospect \(prospect.testDescription): \(count)")
        #expect(count >= 2)
    }

    /// Apple's level and the row's level if a row names a product of another level than the chain.
    private static func levels(
        of customer: Customer, are isRight: (_ apple: Int, _ row: Int) -> Bool
    ) -> Bool {
        guard customer.flaw(on: 1) == .wrongLevel,
            let apple = customer.accounts[0].subscriptions[0].latest(at: store.now)?.product.level,
            let row = store.entitlements(of: customer.number).first,
            let level = SimulatedApp.all.flatMap(\.products).first(where: { $0.id == row.product })?
                .level
        else { return false }
        return isRight(apple, level)
    }

    private func report<Case: RawRepresentable & Hashable>(
        _ what: String, _ all: [Case], _ found: [Case],
        sourceLocation: SourceLocation = #_sourceLocation
    ) where Case.RawValue == String {
        for one in all {
            let count = found.count { $0 == one }
            print("\(what) \(one.rawValue): \(count)")
            #expect(count >= 2, "\(what) \(one.rawValue)", sourceLocation: sourceLocation)
        }
    }

    /// The job's judgement of a customer's users, without a network.
    private func judgements(of number: Int) throws -> [Judgement] {
        let store = Self.store
        let judge = Judge(
            catalog: SimulatedCatalog.catalog,
            settings: JudgingSettings(asOf: Instant(store.now)))
        let receipts = store.receipts(of: number..<number + 1).map(StoredReceipt.init)
        let rows = store.entitlements(of: number).map(StoredEntitlement.init)
        return try store.customer(number).users.map { user in
            let evidence = try receipts.filter { $0.user.text == user }.map { receipt in
                ReceiptEvidence(
                    id: receipt.id, bundle: receipt.bundle, storedAt: receipt.storedAt,
                    validation: try validation(of: receipt))
            }
            return judge.judgement(
                of: UserEvidence(
                    user: UserID(user), receipts: evidence,
                    entitlements: rows.filter { $0.user.text == user }))
        }
    }

    private func validation(of receipt: StoredReceipt) throws -> Validation {
        switch LocalReceipt(receipt.data) {
        case .unusable(let why): return .unusable(why)
        case .sendable(let sendable):
            let bundle = try #require(sendable.bundle)
            let secret = try #require(SimulatedApp.all.first { $0.bundle == bundle.text }).secret
            let text = String(decoding: sendable.base64, as: UTF8.self)
            let body = Array(#"{"receipt-data":"\#(text)","password":"\#(secret)"}"#.utf8)
            return try validation(of: body)
        }
    }

    private func validation(of body: [UInt8]) throws -> Validation {
        let verifier = Verifier(store: Self.store)
        var answer = try VerifyReceiptAnswer.read(
            verifier.answer(to: body, at: .production).body, from: .production)
        if answer.status.rawValue == 21_007 {
            answer = try VerifyReceiptAnswer.read(
                verifier.answer(to: body, at: .sandbox).body, from: .sandbox)
        }
        switch answer.status.rawValue {
        case 0, 21_006: return .verified(try #require(answer.receipt))
        case 21_003: return .rejected(.notAuthentic)
        case 21_010: return .rejected(.accountGone)
        case let other:
            Issue.record("unexpected status \(other)")
            return .unverified(.appleUnavailable)
        }
    }
}
