import Testing

@testable import Reconcile

@Suite("An event")
struct EventTests {
    private func judgement(
        _ transactions: Transaction..., rows: [StoredEntitlement] = []
    ) -> Judgement {
        var receipt = Receipt.showing()
        receipt.transactions = transactions
        return Judge.acme.judgement(of: [.stored(.verified(receipt))], rows)
    }

    @Test("is recorded for a refund of any kind of product, also beside a finding")
    func refunds() {
        let refunded = judgement(
            .monthly(bought: -10, cancelled: -4, reason: "1"), rows: [.row(expires: 20)])
        #expect(refunded.kinds == [.refundRecorded, .refundedStillGranted])
        let finding = refunded.findings.first { $0.kind == .refundRecorded }
        #expect(finding?.reason == "app_issue")
        #expect(finding?.eventAt == .day(-4))
        #expect(finding?.reference == "1")
        #expect(
            judgement(.once("2", "coins", bought: -9, cancelled: -5)).kinds == [.refundRecorded])
        #expect(
            judgement(.once("2", "nobody.knows", bought: -9, cancelled: -5)).kinds
                == [.refundRecorded])
    }

    @Test("is recorded even while the finding settles: a refund is a fact")
    func refundSettling() {
        #expect(judgement(.monthly(bought: -10, cancelled: -0.5)).kinds == [.refundRecorded])
    }

    @Test("is no refund when family sharing was withdrawn, and nothing when upgraded")
    func notRefunds() {
        #expect(
            judgement(.monthly(bought: -10, cancelled: -4, isFamilyShared: true)).kinds
                == [.familyRevocationRecorded])
        #expect(judgement(.monthly(bought: -10, cancelled: -4, isUpgraded: true)).kinds.isEmpty)
    }

    @Test("is recorded when a chain or a pass expired")
    func expired() {
        let chain = judgement(.monthly(bought: -40))
        #expect(chain.kinds == [.expired])
        #expect(chain.findings.first?.eventAt == .day(-10))
        #expect(chain.findings.first?.originalTransaction == "1")
        #expect(judgement(.once("1", "pass", bought: -40)).kinds == [.expired])
    }

    @Test("is recorded although another chain still gives the right")
    func expiredBeside() {
        let other = Transaction.monthly("2", of: "2", "max.monthly", bought: -10)
        let row = StoredEntitlement.row("e1", "max.monthly", expires: 20)
        #expect(judgement(.monthly(bought: -40), other, rows: [row]).kinds == [.expired])
    }

    @Test("is not recorded while the expiry settles, nor beside the finding that says it")
    func expiredOnce() {
        #expect(judgement(.monthly(bought: -30.5)).kinds.isEmpty)
        #expect(
            judgement(.monthly(bought: -40), rows: [.row(expires: 20)]).kinds
                == [.expiredStillGranted])
    }

    @Test("is remembered, not reported, beyond the horizon")
    func horizon() {
        #expect(judgement(.monthly(bought: -120)).kinds == [.expired])
        #expect(judgement(.monthly(bought: -120.01)).kinds.isEmpty)
        #expect(judgement(.once("1", "coins", bought: -99, cancelled: -90.01)).kinds.isEmpty)
    }

    @Test("is not made from a sandbox answer or one for another app")
    func rightGivingOnly() {
        for receipt in [
            Receipt.showing(.monthly(bought: -10, cancelled: -4), environment: .sandbox),
            .showing(.monthly(bought: -40), environment: .sandbox),
        ] {
            let judgement = Judge.acme.judgement(of: [.stored(.verified(receipt))], [])
            #expect(judgement.findings.isEmpty)
        }
    }

    @Test("is recorded once for a transaction that two receipts show")
    func twoReceipts() {
        let receipt = Receipt.showing(.monthly(bought: -10, cancelled: -4))
        let judgement = Judge.acme.judgement(
            of: [.stored("a", .verified(receipt)), .stored("b", .verified(receipt))], [])
        #expect(judgement.kinds == [.refundRecorded])
        #expect(judgement.findings.first?.receipt == "a")
    }
}

@Suite("A receipt's own finding")
struct ReceiptFindingTests {
    @Test(
        "weighs more when the user is granted something that nothing else gives",
        arguments: [
            (.rejected(.notAuthentic), "receipt_not_authentic critical leak", "medium none"),
            (.rejected(.signature), "receipt_not_authentic critical leak", "medium none"),
            (.rejected(.accountGone), "receipt_account_gone medium none", "medium none"),
            (.unusable(.notAReceipt), "receipt_malformed high none", "low none"),
            (.unusable(.empty), "receipt_malformed high none", "low none"),
            (.unusable(.jws), "receipt_is_jws low none", "low none"),
            (.unusable(.xcode), "receipt_from_xcode low none", "low none"),
            (
                .verified(.showing(bundle: "other")), "receipt_for_other_app critical leak",
                "medium none"
            ),
            (
                .verified(.showing(bundle: "other", environment: .sandbox)),
                "receipt_for_other_app critical leak", "medium none"
            ),
        ] as [(Validation, String, String)])
    func weighs(validation: Validation, granted: String, otherwise: String) throws {
        func finding(_ rows: [StoredEntitlement]) throws -> Finding {
            let findings = Judge.acme.judgement(of: [.stored(validation)], rows).findings
            return try #require(findings.first { $0.kind.file == .receipts })
        }
        let grave = try finding([.row()])
        #expect("\(grave.kind.rawValue) \(grave.severity) \(grave.direction)" == granted)
        #expect(grave.receipt == "r1")
        #expect(grave.reference == "r1")
        #expect(grave.entitlement == nil)
        let mild = try finding([.row(isActive: false)])
        #expect("\(mild.severity) \(mild.direction)" == otherwise)
    }

    @Test(
        "weighs less when another receipt, or what the app cost, gives all that is granted",
        arguments: [
            (.showing(.monthly(bought: -10)), .row(), false),
            (.showing(.monthly(bought: -40)), .row(), true),
            (.showing(.monthly(bought: -10)), .row("e1", "max.monthly"), false),
            (.showing(.monthly(bought: -10)), .row("e1", "solo.monthly"), true),
            (.showing(version: "4.0"), .row("e1", "full"), false),
            (.showing(version: "5.0"), .row("e1", "full"), true),
            (.showing(), .row(source: .other("promo")), false),
            (.showing(version: "5.0"), .row("e1", "full", source: .legacyPaid), false),
        ] as [(Receipt, StoredEntitlement, Bool)])
    func weighsByProof(other: Receipt, row: StoredEntitlement, isMoreSevere: Bool) throws {
        let isForOtherApp = Validation.verified(.showing(bundle: "other"))
        for bad in [.rejected(.notAuthentic), isForOtherApp] {
            let judgement = Judge.acme.judgement(
                of: [.stored("a", .verified(other)), .stored("b", bad)], [row])
            let kinds: Set<FindingKind> = [.receiptNotAuthentic, .receiptForOtherApp]
            let finding = try #require(judgement.findings.first { kinds.contains($0.kind) })
            #expect(finding.severity == (isMoreSevere ? .critical : .medium))
            #expect(finding.direction == (isMoreSevere ? .leak : .none))
        }
    }

    @Test("is not made of what could not be checked, nor of an invalid stored row")
    func silent() {
        let judgement = Judge.acme.judgement(
            of: [.stored(.unverified(.timeout))], [], invalidReceipts: 1)
        #expect(judgement.findings.isEmpty)
    }
}
