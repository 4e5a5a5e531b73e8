import Testing

@testable import Reconcile

/// A row of SPEC §5's first table, by the smallest world that shows it.
struct RowCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var receipts: [ReceiptEvidence] = []
    let row: StoredEntitlement
    /// `consistent`, `settling`, `unverified`, `not_judged`, or the kind of the finding.
    let verdict: String
    var invalidReceipts = 0
    var hasUnreadReceipts = false

    func check() {
        let judgement = Judge.acme.judgement(
            of: receipts, [row], invalidReceipts: invalidReceipts,
            hasUnreadReceipts: hasUnreadReceipts)
        let onRow = judgement.findings.filter { $0.entitlement == row.id }
        #expect(onRow.count <= 1)
        #expect((onRow.first?.kind.rawValue ?? judgement.bucket) == verdict)
        #expect(judgement.entitlements.isBalanced)
        #expect(judgement.entitlements.inScope == 1)
    }
}

private func answers(_ transactions: Transaction..., renewals: [Renewal] = []) -> [ReceiptEvidence]
{
    var receipt = Receipt.showing(renewals: renewals)
    receipt.transactions = transactions
    return [.stored(.verified(receipt))]
}

private let retrying = [Renewal(originalID: "1", isInBillingRetry: true)]
private let inGrace = [Renewal(originalID: "1", gracePeriodExpiresAt: .day(5))]
private let unchecked = ReceiptEvidence.stored("r9", .unverified(.timeout))

@Suite("A stored row that grants what Apple no longer does")
struct LeakTests {
    static let rows: [RowCase] = [
        RowCase(
            testDescription: "refunded: fires",
            receipts: answers(.monthly(bought: -10, cancelled: -4)), row: .row(expires: 20),
            verdict: "refunded_still_granted"),
        RowCase(
            testDescription: "refunded: just does not, the service took it back",
            receipts: answers(.monthly(bought: -10, cancelled: -4)), row: .row(isActive: false),
            verdict: "consistent"),
        RowCase(
            testDescription: "refunded: just does not, the stored expiry has passed",
            receipts: answers(.monthly(bought: -10, cancelled: -4)), row: .row(expires: 0),
            verdict: "consistent"),
        RowCase(
            testDescription: "refunded: settles",
            receipts: answers(.monthly(bought: -10, cancelled: -0.99)), row: .row(expires: 20),
            verdict: "settling"),
        RowCase(
            testDescription: "refunded: is hidden by missing evidence",
            receipts: answers(.monthly(bought: -10, cancelled: -4)) + [unchecked],
            row: .row(expires: 20), verdict: "unverified"),
        RowCase(
            testDescription: "refunded: evidence is asked before settling",
            receipts: answers(.monthly(bought: -10, cancelled: -0.5)) + [unchecked],
            row: .row(expires: 20), verdict: "unverified"),
        RowCase(
            testDescription: "refunded: a row in flux settles",
            receipts: answers(.monthly(bought: -10, cancelled: -4)),
            row: .row(expires: 20, updated: 0.001), verdict: "settling"),
        RowCase(
            testDescription: "family-revoked: fires",
            receipts: answers(.monthly(bought: -10, cancelled: -4, isFamilyShared: true)),
            row: .row(expires: 20), verdict: "family_revoked_still_granted"),
        RowCase(
            testDescription: "family-revoked: settles",
            receipts: answers(.monthly(bought: -10, cancelled: -0.5, isFamilyShared: true)),
            row: .row(expires: 20), verdict: "settling"),
        RowCase(
            testDescription: "family-revoked: is hidden by missing evidence",
            receipts: answers(.monthly(bought: -10, cancelled: -4, isFamilyShared: true))
                + [unchecked], row: .row(expires: 20), verdict: "unverified"),
        RowCase(
            testDescription: "expired: fires", receipts: answers(.monthly(bought: -40)),
            row: .row(expires: 20), verdict: "expired_still_granted"),
        RowCase(
            testDescription: "expired: just does not, a later period runs",
            receipts: answers(.monthly(bought: -40), .monthly("2", bought: -10)),
            row: .row(expires: 20), verdict: "consistent"),
        RowCase(
            testDescription: "expired: settles", receipts: answers(.monthly(bought: -30.5)),
            row: .row(expires: 20), verdict: "settling"),
        RowCase(
            testDescription: "expired: settles no more after exactly the time to settle",
            receipts: answers(.monthly(bought: -31)), row: .row(expires: 20),
            verdict: "expired_still_granted"),
        RowCase(
            testDescription: "expired: settles by a grace period that is just over",
            receipts: answers(
                .monthly(bought: -40),
                renewals: [Renewal(originalID: "1", gracePeriodExpiresAt: .day(-0.5))]),
            row: .row(expires: 20), verdict: "settling"),
        RowCase(
            testDescription: "expired: is hidden by missing evidence",
            receipts: answers(.monthly(bought: -40)) + [unchecked], row: .row(expires: 20),
            verdict: "unverified"),
        RowCase(
            testDescription: "expired: a pass too",
            receipts: answers(.once("1", "pass", bought: -40)), row: .row("e1", "pass"),
            verdict: "expired_still_granted"),
        RowCase(
            testDescription: "billing retry: fires",
            receipts: answers(.monthly(bought: -40), renewals: retrying), row: .row(expires: 20),
            verdict: "billing_retry_still_granted"),
        RowCase(
            testDescription: "billing retry: just does not, in grace",
            receipts: answers(.monthly(bought: -31), renewals: inGrace), row: .row(expires: 5),
            verdict: "consistent"),
        RowCase(
            testDescription: "billing retry: settles",
            receipts: answers(.monthly(bought: -30.2), renewals: retrying),
            row: .row(expires: 20), verdict: "settling"),
        RowCase(
            testDescription: "billing retry: is hidden by missing evidence",
            receipts: answers(.monthly(bought: -40), renewals: retrying) + [unchecked],
            row: .row(expires: 20), verdict: "unverified"),
    ]

    @Test("is found exactly when it should be", arguments: rows)
    func found(row: RowCase) { row.check() }
}

@Suite("A stored row that nothing of Apple's ever gave")
struct NoGrantorTests {
    static let rows: [RowCase] = [
        RowCase(
            testDescription: "without any receipt", row: .row(),
            verdict: "grant_without_receipt"),
        RowCase(
            testDescription: "without any receipt, settles", row: .row(updated: -0.5),
            verdict: "settling"),
        RowCase(
            testDescription: "with nothing but an invalid stored row", row: .row(),
            verdict: "unverified", invalidReceipts: 1),
        RowCase(
            testDescription: "with a receipt that came after the batch was read", row: .row(),
            verdict: "unverified", hasUnreadReceipts: true),
        RowCase(
            testDescription: "in a receipt for another app",
            receipts: [
                .stored(.verified(.showing(.monthly(bought: -10), bundle: "other")))
            ], row: .row(), verdict: "wrong_app_receipt"),
        RowCase(
            testDescription: "in a receipt for another app, by another product of the group",
            receipts: [
                .stored(
                    .verified(
                        .showing(
                            .monthly("1", of: "1", "max.monthly", bought: -10), bundle: "other")
                    ))
            ], row: .row(), verdict: "wrong_app_receipt"),
        RowCase(
            testDescription: "in a receipt for another app, settles",
            receipts: [
                .stored(.verified(.showing(.monthly(bought: -10), bundle: "other")))
            ], row: .row(updated: -0.5), verdict: "settling"),
        RowCase(
            testDescription: "in a receipt for another app, hidden by missing evidence",
            receipts: [
                .stored(.verified(.showing(.monthly(bought: -10), bundle: "other"))), unchecked,
            ], row: .row(), verdict: "unverified"),
        RowCase(
            testDescription: "in the sandbox",
            receipts: [
                .stored(.verified(.showing(.monthly(bought: -10), environment: .sandbox)))
            ], row: .row(), verdict: "sandbox_grants_production"),
        RowCase(
            testDescription: "in the sandbox, bought after the instant of judgement",
            receipts: [
                .stored(.verified(.showing(.monthly(bought: 1), environment: .sandbox)))
            ], row: .row(), verdict: "grant_without_transaction"),
        RowCase(
            testDescription: "beside an Xcode receipt", receipts: [.stored(.unusable(.xcode))],
            row: .row(), verdict: "sandbox_grants_production"),
        RowCase(
            testDescription: "in no answer", receipts: answers(), row: .row(),
            verdict: "grant_without_transaction"),
        RowCase(
            testDescription: "in no answer, by a rejected receipt alone",
            receipts: [.stored(.rejected(.notAuthentic))], row: .row(),
            verdict: "grant_without_transaction"),
        RowCase(
            testDescription: "in no answer, settles", receipts: answers(),
            row: .row(updated: -0.5), verdict: "settling"),
        RowCase(
            testDescription: "in no answer, in flux", receipts: answers(),
            row: .row(updated: 0.5), verdict: "settling"),
        RowCase(
            testDescription: "in no answer, hidden by an unverified receipt",
            receipts: answers() + [unchecked], row: .row(), verdict: "unverified"),
        RowCase(
            testDescription: "in no answer, hidden by a malformed receipt",
            receipts: answers() + [.stored("r2", .unusable(.notAReceipt))], row: .row(),
            verdict: "unverified"),
        RowCase(
            testDescription: "in no answer, hidden by a JWS",
            receipts: answers() + [.stored("r2", .unusable(.jws))], row: .row(),
            verdict: "unverified"),
        RowCase(
            testDescription: "in no answer, hidden by a parse anomaly",
            receipts: [
                .stored(.verified(.showing(anomalies: [ParseAnomaly(key: "product_id")])))
            ], row: .row(), verdict: "unverified"),
        RowCase(
            testDescription: "in no answer, a subscription that the row names since the receipt",
            receipts: answers(), row: .row(updated: -2), verdict: "grant_without_transaction"),
        RowCase(
            testDescription: "in no answer, a non-consumable granted since the receipt was stored",
            receipts: answers(), row: .row("e1", "unlock", updated: -2), verdict: "unverified"),
        RowCase(
            testDescription: "in no answer, a pass granted since the receipt was stored",
            receipts: answers(), row: .row("e1", "pass", updated: -2), verdict: "unverified"),
        RowCase(
            testDescription: "in no answer, a non-consumable granted before",
            receipts: answers(), row: .row("e1", "unlock"), verdict: "grant_without_transaction"),
        RowCase(
            testDescription: "the premium product of who paid for the app",
            receipts: [.stored(.verified(.showing(version: "4.0")))], row: .row("e1", "full"),
            verdict: "consistent"),
        RowCase(
            testDescription: "the premium product where nobody can tell",
            receipts: [.stored(.verified(.showing(version: nil)))], row: .row("e1", "full"),
            verdict: "unverified"),
        RowCase(
            testDescription: "the premium product of who did not pay",
            receipts: [.stored(.verified(.showing(version: "5.0")))], row: .row("e1", "full"),
            verdict: "grant_without_transaction"),
    ]

    @Test("is found exactly when it should be", arguments: rows)
    func found(row: RowCase) { row.check() }
}

@Suite("A stored row beside a right that Apple gives")
struct ExpiryTests {
    private static let minute = 1.0 / 1_440

    static let rows: [RowCase] = [
        RowCase(
            testDescription: "that agrees", receipts: answers(.monthly(bought: -10)),
            row: .row(expires: 20), verdict: "consistent"),
        RowCase(
            testDescription: "whose expiry is missing", receipts: answers(.monthly(bought: -10)),
            row: .row(), verdict: "expiry_missing"),
        RowCase(
            testDescription: "whose expiry is missing, settles",
            receipts: answers(.monthly(bought: -0.5)), row: .row(), verdict: "settling"),
        RowCase(
            testDescription: "whose expiry is missing, hidden by missing evidence",
            receipts: answers(.monthly(bought: -10)) + [unchecked], row: .row(),
            verdict: "unverified"),
        RowCase(
            testDescription: "whose expiry may be missing, for the right has no end",
            receipts: answers(.once("1", "unlock", bought: -10)), row: .row("e1", "unlock"),
            verdict: "consistent"),
        RowCase(
            testDescription: "whose expiry is too late", receipts: answers(.monthly(bought: -10)),
            row: .row(expires: 20 + 1.1 * minute), verdict: "expiry_too_late"),
        RowCase(
            testDescription: "whose expiry is late within the tolerance",
            receipts: answers(.monthly(bought: -10)), row: .row(expires: 20 + minute),
            verdict: "consistent"),
        RowCase(
            testDescription: "whose expiry is that of another chain of the right",
            receipts: answers(
                .monthly(bought: -10), .monthly("2", of: "2", "max.monthly", bought: -5)),
            row: .row(expires: 25), verdict: "consistent"),
        RowCase(
            testDescription: "whose expiry is too late, hidden by missing evidence",
            receipts: answers(.monthly(bought: -10)) + [unchecked], row: .row(expires: 21),
            verdict: "unverified"),
        RowCase(
            testDescription: "whose expiry is too late, settles",
            receipts: answers(.monthly(bought: -0.5)), row: .row(expires: 31),
            verdict: "settling"),
        RowCase(
            testDescription: "whose expiry is too early", receipts: answers(.monthly(bought: -10)),
            row: .row(expires: 20 - 1.1 * minute), verdict: "expiry_too_early"),
        RowCase(
            testDescription: "whose expiry is early within the tolerance",
            receipts: answers(.monthly(bought: -10)), row: .row(expires: 20 - minute),
            verdict: "consistent"),
        RowCase(
            testDescription: "whose expiry is too early, whatever evidence is missing",
            receipts: answers(.monthly(bought: -10)) + [unchecked], row: .row(expires: 9),
            verdict: "expiry_too_early"),
        RowCase(
            testDescription: "whose expiry is too early, settles",
            receipts: answers(.monthly(bought: -0.5)), row: .row(expires: 9),
            verdict: "settling"),
        RowCase(
            testDescription: "that has an end where the right has none",
            receipts: answers(.once("1", "unlock", bought: -10)),
            row: .row("e1", "unlock", expires: 900), verdict: "expiry_too_early"),
        RowCase(
            testDescription: "in grace until the grace period's end",
            receipts: answers(.monthly(bought: -31), renewals: inGrace), row: .row(expires: 9),
            verdict: "expiry_too_late"),
        RowCase(
            testDescription: "whose best grantor is another product",
            receipts: answers(.monthly("1", of: "1", "max.monthly", bought: -10)),
            row: .row(expires: 99), verdict: "consistent"),
    ]

    @Test("is judged by its expiry exactly when it should be", arguments: rows)
    func found(row: RowCase) { row.check() }
}

@Suite("A stored row that is not judged, or not granted")
struct OtherRowTests {
    static let rows: [RowCase] = [
        RowCase(
            testDescription: "of another source", receipts: answers(),
            row: .row(source: .other("promo")), verdict: "not_judged"),
        RowCase(
            testDescription: "of a consumable", receipts: answers(), row: .row("e1", "coins"),
            verdict: "not_judged"),
        RowCase(
            testDescription: "of an unknown product", receipts: answers(),
            row: .row("e1", "nobody.knows"), verdict: "not_judged"),
        RowCase(
            testDescription: "of an unknown product that Apple shows with an expiry",
            receipts: answers(.monthly("1", of: "1", "nobody.knows", bought: -90)),
            row: .row("e1", "nobody.knows"), verdict: "expired_still_granted"),
        RowCase(
            testDescription: "of a pass whose duration nobody stated", receipts: answers(),
            row: .row("e1", "pass.unknown"), verdict: "not_judged"),
        RowCase(
            testDescription: "not granted, and Apple gives nothing", receipts: answers(),
            row: .row(isActive: false), verdict: "consistent"),
        RowCase(
            testDescription: "not granted, and Apple may give something",
            receipts: answers() + [unchecked], row: .row(isActive: false), verdict: "unverified"),
        RowCase(
            testDescription: "not granted, in flux", receipts: answers(),
            row: .row(isActive: false, updated: 0.1), verdict: "settling"),
    ]

    @Test("stands in its bucket", arguments: rows)
    func found(row: RowCase) { row.check() }
}

@Suite("A right that Apple gives and no row grants")
struct OwedTests {
    static let rows: [RowCase] = [
        RowCase(
            testDescription: "active: fires", receipts: answers(.monthly(bought: -10)),
            row: .row(isActive: false), verdict: "active_not_granted"),
        RowCase(
            testDescription: "active: fires on a row whose expiry has passed",
            receipts: answers(.monthly(bought: -10)), row: .row(expires: -1),
            verdict: "active_not_granted"),
        RowCase(
            testDescription: "active: settles", receipts: answers(.monthly(bought: -0.5)),
            row: .row(isActive: false), verdict: "settling"),
        RowCase(
            testDescription: "active: needs only the positive proof",
            receipts: answers(.monthly(bought: -10)) + [unchecked], row: .row(isActive: false),
            verdict: "active_not_granted"),
        RowCase(
            testDescription: "active: a row in flux settles",
            receipts: answers(.monthly(bought: -10)), row: .row(isActive: false, updated: 0.1),
            verdict: "settling"),
        RowCase(
            testDescription: "active: just does not, it has expired",
            receipts: answers(.monthly(bought: -31)), row: .row(isActive: false),
            verdict: "consistent"),
        RowCase(
            testDescription: "grace: fires",
            receipts: answers(.monthly(bought: -32), renewals: inGrace),
            row: .row(isActive: false), verdict: "grace_not_granted"),
        RowCase(
            testDescription: "grace: settles by the expiry that began it",
            receipts: answers(.monthly(bought: -30.5), renewals: inGrace),
            row: .row(isActive: false), verdict: "settling"),
        RowCase(
            testDescription: "owned: fires", receipts: answers(.once("1", "unlock", bought: -9)),
            row: .row("e1", "unlock", isActive: false), verdict: "owned_not_granted"),
        RowCase(
            testDescription: "owned: a pass too", receipts: answers(.once("1", "pass", bought: -9)),
            row: .row("e1", "pass", isActive: false), verdict: "owned_not_granted"),
        RowCase(
            testDescription: "owned: settles",
            receipts: answers(.once("1", "unlock", bought: -0.5)),
            row: .row("e1", "unlock", isActive: false), verdict: "settling"),
        RowCase(
            testDescription: "owned: just does not, it was refunded",
            receipts: answers(.once("1", "unlock", bought: -9, cancelled: -5)),
            row: .row("e1", "unlock", isActive: false), verdict: "consistent"),
    ]

    @Test("is found on its row exactly when it should be", arguments: rows)
    func found(row: RowCase) { row.check() }

    @Test("is found without a row, with an empty entitlement")
    func withoutRow() throws {
        let judgement = Judge.acme.judgement(of: answers(.monthly(bought: -10)), [])
        let finding = try #require(judgement.findings.first)
        #expect(judgement.findings.count == 1)
        #expect(finding.kind == .activeNotGranted)
        #expect(finding.entitlement == nil)
        #expect(finding.reference == "G")
        #expect(finding.transaction == "1")
    }

    @Test("is not found while it settles without a row")
    func settlingWithoutRow() {
        #expect(Judge.acme.judgement(of: answers(.monthly(bought: -0.5)), []).findings.isEmpty)
    }

    @Test("is covered by a granted row of any source, of any product of the right")
    func covered() {
        let yearly = StoredEntitlement.row(
            "e1", "pro.yearly", expires: 9, source: .other("promo"))
        let judgement = Judge.acme.judgement(of: answers(.monthly(bought: -10)), [yearly])
        #expect(judgement.findings.isEmpty)
    }

    @Test("is covered by a granted row of another right whose best grantor is its chain")
    func coveredByName() {
        let row = StoredEntitlement.row("e1", "solo.monthly", chain: "1", expires: 20)
        let judgement = Judge.acme.judgement(of: answers(.monthly(bought: -10)), [row])
        #expect(judgement.findings.isEmpty)
    }

    @Test("stands on the row of its chain, else of its product, else the latest, else the smallest")
    func choosesRow() {
        func chosen(_ rows: StoredEntitlement...) -> EntitlementID? {
            Judge.acme.judgement(of: answers(.monthly(bought: -10)), rows).findings.first?
                .entitlement
        }
        let chain = StoredEntitlement.row("z", "pro.yearly", chain: "1", isActive: false)
        let product = StoredEntitlement.row("y", isActive: false)
        let late = StoredEntitlement.row("x", "pro.yearly", isActive: false, updated: -2)
        let early = StoredEntitlement.row("a", "pro.yearly", isActive: false, updated: -3)
        let twin = StoredEntitlement.row("w", "pro.yearly", isActive: false, updated: -2)
        #expect(chosen(early, late, product, chain) == "z")
        #expect(chosen(early, late, product) == "y")
        #expect(chosen(early, late) == "x")
        #expect(chosen(late, twin) == "w")
    }

    @Test("gives one finding however many rows of the right are not granted")
    func once() {
        let judgement = Judge.acme.judgement(
            of: answers(.monthly(bought: -10)),
            [.row("a", isActive: false), .row("b", isActive: false)])
        #expect(judgement.kinds == [.activeNotGranted])
        #expect(judgement.entitlements.consistent == 1)
    }
}
