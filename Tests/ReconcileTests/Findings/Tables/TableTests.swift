import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A line of the tables")
struct TableTests {
    @Test("Each kind of the tables has a line, those on a stored row in the table's order")
    func complete() {
        #expect(Line.all.map(\.kind) == FindingKind.ofStoredRows)
        let kinds = (Line.all + Line.facts).map(\.kind)
        #expect(Set(kinds) == Set(FindingKind.allCases).subtracting(FactRules.acrossUsers))
        #expect(Set(kinds).count == kinds.count)
    }

    @Test(
        "Each line on a row fires once its cause, if any, is a day old, and not at its near miss",
        arguments: Line.all)
    func firesOnRow(line: Line) throws {
        let judgement = line.judgement(-1)
        let finding = try #require(judgement.findings.first { $0.entitlement == "e1" })
        #expect(finding.kind == line.kind)
        #expect(finding.severity == line.kind.severity && finding.direction == line.kind.direction)
        #expect(finding.eventAt == (line.neverSettles ? nil : .day(-1)))
        let row = line.rows(-1)[0]
        #expect(finding.productStored == row.product && finding.storedActive == row.isActive)
        #expect(finding.storedExpiresAt == row.expiresAt)
        #expect(judgement.entitlements.isBalanced)
        #expect(judgement.unordered == line.judgement(-1).unordered)
        #expect(line.judgement(-0.999).verdict == line.early)
        #expect(line.judgement(-10, isNear: true).verdict == line.nearVerdict)
    }

    /// With any receipt, even an unverified one, a row is no longer a grant without a receipt.
    @Test(
        "Missing evidence hides what accuses, before it settles; a row in flux has no finding",
        arguments: Line.all)
    func hidden(line: Line) {
        let isHidden = line.kind.direction == .leak || line.kind == .grantWithoutReceipt
        for (cause, shown) in [(-1, line.kind.rawValue), (-0.5, line.early)] {
            let judgement = line.judgement(cause, beside: "unchecked")
            #expect(judgement.verdict == (isHidden ? "unverified" : shown))
        }
        let judgement = line.judgement(-1, isInFlux: true)
        #expect(!judgement.kinds.contains(line.kind))
        let isOwed = judgement.findings.contains { $0.direction == .owed && $0.entitlement == nil }
        #expect(judgement.verdict == "settling" && !isOwed)
    }

    @Test(
        "Each line of the second table fires once, not at its near miss; only an end must settle",
        arguments: Line.facts)
    func fires(fact: Line) throws {
        let judgement = fact.judgement()
        let finding = try judgement.only(fact.kind)
        #expect(finding.entitlement == nil && finding.user == "u")
        let isEvent = FindingKind.events.contains(fact.kind)
        #expect(finding.eventAt == (isEvent ? .day(-1) : nil))
        #expect((finding.severity == .info) == isEvent)
        #expect(judgement.unordered == fact.judgement().unordered)
        #expect(!fact.judgement(0.001, isNear: true).kinds.contains(fact.kind))
        #expect(fact.judgement(-0.999).kinds.contains(fact.kind) == (fact.kind != .expired))
    }

    @Test(
        "Neither missing evidence nor a row in flux hides a line of the second table",
        arguments: Line.facts,
        [("unchecked", ""), ("malformed", ""), ("", "solo id e9 changed 0.001")])
    func isNotHidden(fact: Line, more: (receipt: String, row: String)) {
        let judgement = fact.judgement(beside: more.receipt, more.row)
        #expect(judgement.kinds.contains(fact.kind) && judgement.entitlements.isBalanced)
    }
}

/// A kind with the smallest world that shows it, and the nearest one that does not.
struct Line: Sendable, CustomTestStringConvertible {
    static let all = lines(onRows)
    static let facts = lines(others)

    let kind: FindingKind
    private let cells: [String]

    var testDescription: String { kind.rawValue }
    /// The table gives the line no cause.
    fileprivate var neverSettles: Bool {
        [.freemiumUndecidable, .freemiumPaidNotGranted, .ownershipMismatch].contains(kind)
    }
    fileprivate var early: String { neverSettles ? kind.rawValue : "settling" }
    fileprivate var nearVerdict: String { cells.count > 3 ? cells[3] : "consistent" }

    private static func lines(_ table: String) -> [Line] {
        table.rows.compactMap { cells in
            FindingKind(rawValue: cells[0]).map { Line(kind: $0, cells: cells) }
        }
    }

    private func cell(_ index: Int, _ isNear: Bool) -> String {
        let sides = cells[index].split(separator: "/", omittingEmptySubsequences: false)
        return String(sides[isNear ? sides.count - 1 : 0])
    }

    /// Its rows, with its cause on that day; in flux the first was changed after the judgement.
    fileprivate func rows(
        _ day: Double, isNear: Bool = false, isInFlux: Bool = false
    ) -> [StoredEntitlement] {
        let text = cell(2, isNear)
        let changed = text.replacing(" changed @", with: "")
            .replacing(#/[^ ,]+/#, maxReplacements: 1) { "\($0.output) changed 0.001" }
        return stored(isInFlux ? changed : text, cause: day)
    }

    /// With its cause or event on that day, and with more receipts and another row.
    func judgement(
        _ day: Double = -1, beside receipts: String = "", _ row: String = "", isNear: Bool = false,
        isInFlux: Bool = false, by judge: Judge = Line.judge
    ) -> Judgement {
        var evidence = UserEvidence(
            user: "u", receipts: shown(cell(1, isNear) + ";" + receipts, cause: day),
            entitlements: rows(day, isNear: isNear, isInFlux: isInFlux) + stored(row))
        evidence.downloadKeys = keys(isNear)
        var refunds: [LedgerEntry] = []
        if kind == .refundReversed { refunds = [.refund(cancelled: day)] }
        if kind == .refundReversedNotRestored, !isNear { refunds = [.refund(cancelled: -0.5)] }
        return judge.judgement(of: evidence.proven(for: judge), history: UserHistory(refunds))
    }

    private func keys(_ isNear: Bool) -> [StoredDownloadKey] {
        guard cells.count > 4 else { return [] }
        return cell(4, isNear).split(separator: ",").map { text in
            let words = text.split(separator: " ")
            return StoredDownloadKey(
                receipt: "r1", product: ProductID(String(words[0])), remoteProduct: "asset",
                key: words.contains("uncut") ? nil : "key-1",
                expiresAt: .day(words.contains("over") ? 0 : 0.02))
        }
    }

    fileprivate static let judge: Judge = {
        var catalog = Catalog.acme
        catalog.downloadable = ["unlock", "pro.monthly"]
        return Judge(catalog)
    }()
}

/// Each kind on a stored row, its receipts and its rows, of which the first has the finding; after
/// "/" those of the near miss, and its verdict, if it is not `consistent`.
private let onRows = """
    refunded_still_granted | pro -10 cancelled @ / pro -10 cancelled 0.001 | pro to 20
    family_revoked_still_granted | pro -10 cancelled @ family / \
    pro -10 cancelled -4 family, pro -10 of 2 | pro to 20
    expired_still_granted | pro @-30 / pro -29.999 | pro to 20 / pro to 0.001
    billing_retry_still_granted | pro @-30, renewal retry / pro -31, renewal grace 0.001 retry \
    | pro to 20 / pro to 0.001
    grant_without_receipt | / answer | pro changed @ / pro | grant_without_transaction
    wrong_app_receipt | answer for other, max -10 / answer for other, solo -10 \
    | pro changed @ | grant_without_transaction
    sandbox_grants_production | answer sandbox, max -10 / answer sandbox, solo -10 \
    | pro changed @ | grant_without_transaction
    grant_without_transaction | solo -10 / pro -10 | pro changed @, solo to 20 / pro to 20
    freemium_undecidable | answer version 4.1b2 / answer version 4.11 | full legacy changed @ \
    | freemium_granted_not_paid
    freemium_granted_not_paid | answer version 4.11 / answer version 4.10.0 | full legacy changed @
    refund_reversed_not_restored | pro @ / pro -10 | pro off | active_not_granted
    active_not_granted | pro @ / pro -30 | pro off
    grace_not_granted | pro @-30, renewal grace 5 / pro -36, renewal retry | pro off
    owned_not_granted | unlock @ / unlock -9 cancelled -0.001 | unlock off
    freemium_paid_not_granted | answer version 4.9 / answer version 4.11 | full off legacy changed @
    duplicate_grant | max @ / max -9 | pro to 20, max to 20 / pro to 20, max off to 20 \
    | upgrade_not_applied
    upgrade_not_applied | max @ / yearly -9 | pro to 20 | product_mismatch
    downgrade_not_applied | lite @ / plus -9 | pro to 20 | product_mismatch
    product_mismatch | yearly @ / pro -10 | pro to 20
    expiry_missing | pro @ / unlock -9 | pro / unlock
    expiry_too_late | pro @ / pro -9 | pro to @+30 late 61 / pro to 21 late 60
    expiry_too_early | pro @ / pro -9 | pro to @+30 late -61 / pro to 21 late -60
    ownership_mismatch | pro @ purchased / pro -10 purchased | pro to @+30 family / pro to 20
    label_stale | pro @, renewal off / pro -10, renewal | pro to @+30 renews changed @ \
    / pro to 20 renews
    """

/// Each kind besides that one user's evidence shows (`SightingTests` has the others), its receipts,
/// rows and download keys, and after "/" those of the near miss.
private let others = """
    refund_recorded | coins -20 cancelled @ / coins -20 cancelled 0.001 |
    family_revocation_recorded | pro -20 cancelled @ family / pro -20 cancelled -4 upgraded family |
    refund_reversed | pro -20 / pro -20 cancelled 0.001 | pro to 10
    expired | pro @-30 / pro -40 | / pro to 20
    receipt_not_authentic | refused / unchecked |
    receipt_account_gone | gone / unchecked |
    receipt_malformed | malformed / unchecked |
    receipt_is_jws | jws / unchecked |
    receipt_from_xcode | xcode / unchecked |
    receipt_for_other_app | answer for other / answer |
    implausible_dates | pro -10..230.001 / pro -10..230 |
    parse_anomaly | answer anomaly / answer |
    receipt_contradicts_answer | answer contradicted / answer |
    download_key_for_revoked_product | unlock -20 cancelled -2 | | | unlock / unlock over
    download_key_orphaned | unlock -20 | | | other / unlock, full
    product_not_unlocked | unlock -20, pro -20 | pro to 10 | | unlock / unlock, pro.monthly uncut
    """

extension Judgement {
    /// `consistent`, `settling`, `unverified`, `not_judged`, or the kind of the row e1's finding.
    fileprivate var verdict: String {
        findings.first { $0.entitlement == "e1" }?.kind.rawValue
            ?? notReported.first { $0.entitlement == "e1" }?.bucket.rawValue ?? "consistent"
    }
}
