import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import reconcile_job

/// Counts who lives in the world of seed 1, and what the job makes of them.
@Suite("The census of seed 1")
struct CensusTests {
    private static let store = SimulatedStore.demo()

    @Test("finds every story, every mistake, every receipt's form and damage, several times")
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

    @Test("finds every kind of finding, and most of the service in agreement")
    func findings() throws {
        var (kinds, tally): ([FindingKind], EntitlementTally) = ([], EntitlementTally())
        for number in 0..<Self.store.customers {
            for judgement in try judgements(of: number) {
                kinds += judgement.findings.map(\.kind)
                tally += judgement.entitlements
            }
        }
        // One takes Apple's own signature, which nobody here can make.
        let possible = FindingKind.allCases.filter { $0 != .receiptContradictsAnswer }
        report("finding", possible, kinds)
        #expect(tally.inScope > 2_500)
        #expect(tally.consistent * 100 > tally.inScope * 80)
        #expect(tally.consistent < tally.inScope)
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

    /// What the job's own rules make of a customer's users, without a network between.
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
