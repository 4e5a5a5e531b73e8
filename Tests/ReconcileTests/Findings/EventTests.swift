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

    @Test("A refund is recorded for any kind of product, also next to a finding")
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

    @Test("A refund is recorded even while the finding about the row settles")
    func refundSettling() {
        #expect(judgement(.monthly(bought: -10, cancelled: -0.5)).kinds == [.refundRecorded])
    }

    @Test("Withdrawn family sharing is no refund, and an upgrade is no event")
    func notRefunds() {
        #expect(
            judgement(.monthly(bought: -10, cancelled: -4, isFamilyShared: true)).kinds
                == [.familyRevocationRecorded])
        #expect(judgement(.monthly(bought: -10, cancelled: -4, isUpgraded: true)).kinds.isEmpty)
    }

    @Test("An expiry is recorded for a chain and for a pass")
    func expired() {
        let chain = judgement(.monthly(bought: -40))
        #expect(chain.kinds == [.expired])
        #expect(chain.findings.first?.eventAt == .day(-10))
        #expect(chain.findings.first?.originalTransaction == "1")
        #expect(judgement(.once("1", "pass", bought: -40)).kinds == [.expired])
    }

    @Test("An expiry is recorded although another chain still gives the right")
    func expiredBeside() {
        let other = Transaction.monthly("2", of: "2", "max.monthly", bought: -10)
        let row = StoredEntitlement.row("e1", "max.monthly", expires: 20)
        #expect(judgement(.monthly(bought: -40), other, rows: [row]).kinds == [.expired])
    }

    @Test("An expiry is not recorded while it settles, nor next to the finding that reports it")
    func expiredOnce() {
        #expect(judgement(.monthly(bought: -30.5)).kinds.isEmpty)
        #expect(
            judgement(.monthly(bought: -40), rows: [.row(expires: 20)]).kinds
                == [.expiredStillGranted])
    }

    @Test("An event beyond the horizon is remembered and not reported")
    func horizon() {
        #expect(judgement(.monthly(bought: -120)).kinds == [.expired])
        #expect(judgement(.monthly(bought: -120.01)).kinds.isEmpty)
        #expect(judgement(.once("1", "coins", bought: -99, cancelled: -90.01)).kinds.isEmpty)
    }

    @Test("A sandbox answer and an answer for another app give no events")
    func rightGivingOnly() {
        for receipt in [
            Receipt.showing(.monthly(bought: -10, cancelled: -4), environment: .sandbox),
            .showing(.monthly(bought: -40), environment: .sandbox),
        ] {
            let judgement = Judge.acme.judgement(of: [.stored(.verified(receipt))], [])
            #expect(judgement.findings.isEmpty)
        }
    }

    @Test("A transaction in two receipts gives one event")
    func twoReceipts() {
        let receipt = Receipt.showing(.monthly(bought: -10, cancelled: -4))
        let judgement = Judge.acme.judgement(
            of: [.stored("a", .verified(receipt)), .stored("b", .verified(receipt))], [])
        #expect(judgement.kinds == [.refundRecorded])
        #expect(judgement.findings.first?.receipt == "a")
    }
}

@Suite("A finding about a receipt")
struct ReceiptFindingTests {
    @Test(
        "The severity is higher when the user is granted something that nothing else gives",
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
        "The severity is lower when another receipt or the paid app gives all that is granted",
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

    @Test("An unverified receipt and an invalid stored row give no finding of their own")
    func silent() {
        let judgement = Judge.acme.judgement(
            of: [.stored(.unverified(.timeout))], [], invalidReceipts: 1)
        #expect(judgement.findings.isEmpty)
    }
}
