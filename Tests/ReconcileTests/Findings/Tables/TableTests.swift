import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A line of the first table")
struct FirstTableTests {
    @Test("Each kind of a finding on a stored row has a line, in the table's order")
    func complete() { #expect(Line.all.map(\.kind) == FindingKind.ofStoredRows) }

    @Test(
        "Each line fires once its cause, if any, has settled for a day, and not at its near miss",
        arguments: Line.all)
    func fires(line: Line) throws {
        let world = line.world(-1)
        #expect(world.verdict == line.kind.rawValue)
        let finding = try #require(world.finding)
        #expect(finding.severity == line.kind.severity)
        #expect(finding.direction == line.kind.direction)
        #expect(finding.eventAt == (line.neverSettles ? nil : .day(-1)))
        #expect(finding.productStored == world.row.product)
        #expect(finding.storedActive == world.row.isActive)
        #expect(finding.storedExpiresAt == world.row.expiresAt)
        #expect(world.judgement.entitlements.isBalanced)
        let isSameAgain = line.world(-1).judgement.unordered == line.world(-1).judgement.unordered
        #expect(isSameAgain)
        let early = line.neverSettles ? line.kind.rawValue : "settling"
        #expect(line.world(-0.999).verdict == early)
        #expect(line.nearly.verdict == line.verdict)
    }

    @Test("Missing evidence hides each line that accuses, before it settles", arguments: Line.all)
    func hidden(line: Line) {
        // With any receipt, even an unverified one, the row is no longer a grant without a receipt.
        let isHidden = line.kind.direction == .leak || line.kind == .grantWithoutReceipt
        let kind = line.kind.rawValue
        #expect(line.world(-1).hidden.verdict == (isHidden ? "unverified" : kind))
        #expect(
            line.world(-0.5).hidden.verdict
                == (isHidden ? "unverified" : line.neverSettles ? kind : "settling"))
    }

    @Test("A row in flux gives no finding, neither on the row nor without it", arguments: Line.all)
    func inFlux(line: Line) {
        let world = line.world(-1).inFlux
        #expect(world.verdict == "settling")
        #expect(!world.judgement.kinds.contains(line.kind))
        #expect(
            !world.judgement.findings.contains { $0.direction == .owed && $0.entitlement == nil })
    }
}

@Suite("A line of the second table")
struct SecondTableTests {
    @Test("Each kind that one user's evidence shows has a line")
    func complete() {
        let others = Set(FactRules.acrossUsers + FindingKind.ofStoredRows)
        #expect(Set(Fact.all.map(\.kind)) == Set(FindingKind.allCases).subtracting(others))
        #expect(Set(Fact.all.map(\.kind)).count == Fact.all.count)
    }

    @Test(
        "Each line fires once and not at its near miss, and settles if it has a cause",
        arguments: Fact.all)
    func fires(fact: Fact) throws {
        let judgement = fact.judgement()
        let finding = try judgement.only(fact.kind)
        #expect(finding.entitlement == nil && finding.user == "u")
        let isEvent = FindingKind.events.contains(fact.kind)
        #expect(finding.eventAt == (isEvent ? .day(-1) : nil))
        #expect((finding.severity == .info) == isEvent)
        let isSameAgain = judgement.unordered == fact.judgement().unordered
        #expect(isSameAgain)
        #expect(!fact.nearly.kinds.contains(fact.kind))
        #expect(fact.judgement(-0.999).kinds.contains(fact.kind) == (fact.kind != .expired))
    }

    @Test(
        "Neither missing evidence nor a row in flux hides a line", arguments: Fact.all,
        [("unchecked", ""), ("malformed", ""), ("", "solo id e9 changed 0.001")])
    func isNotHidden(fact: Fact, more: (receipt: String, row: String)) {
        let judgement = fact.judgement(beside: more.receipt, more.row)
        #expect(judgement.kinds.contains(fact.kind))
        #expect(judgement.entitlements.isBalanced)
    }
}

/// A kind of finding on a stored row.
struct Line: Sendable, CustomTestStringConvertible {
    let kind: FindingKind
    private let cells: [String]

    var testDescription: String { kind.rawValue }
    /// The table gives the line no cause.
    var neverSettles: Bool {
        [.freemiumUndecidable, .freemiumPaidNotGranted, .ownershipMismatch].contains(kind)
    }
    /// The nearest world that does not fire it, and the verdict there.
    var nearly: RowWorld { world(-10, side: 1) }
    var verdict: String { cells[3] }

    /// The smallest world that fires it, with its cause on that day.
    func world(_ cause: Double, side: Int = 0) -> RowWorld {
        let rows = stored(cells[2].side(side), cause: cause)
        let refund = kind == .refundReversedNotRestored && side == 0
        return RowWorld(
            receipts: shown(cells[1].side(side), cause: cause), row: rows[0],
            others: Array(rows.dropFirst()),
            history: UserHistory(refund ? [.refund(cancelled: -0.5)] : []))
    }

    /// Each kind, its receipts and its rows, of which the first has the finding; after "/" those of
    /// the near miss, and its verdict.
    static let all = textTable(
        """
        refunded_still_granted | pro -10 cancelled @ / pro -10 cancelled 0.001 | pro to 20 \
        | consistent
        family_revoked_still_granted | pro -10 cancelled @ family / \
        pro -10 cancelled -4 family, pro -10 of 2 | pro to 20 | consistent
        expired_still_granted | pro @-30 / pro -29.999 | pro to 20 / pro to 0.001 | consistent
        billing_retry_still_granted | pro @-30, renewal retry / pro -31, renewal grace 0.001 retry \
        | pro to 20 / pro to 0.001 | consistent
        grant_without_receipt | / answer | pro changed @ / pro | grant_without_transaction
        wrong_app_receipt | answer for other, max -10 / answer for other, solo -10 \
        | pro changed @ | grant_without_transaction
        sandbox_grants_production | answer sandbox, max -10 / answer sandbox, solo -10 \
        | pro changed @ | grant_without_transaction
        grant_without_transaction | solo -10 / pro -10 | pro changed @, solo to 20 / pro to 20 \
        | consistent
        freemium_undecidable | answer version 4.1b2 / answer version 4.11 | full legacy changed @ \
        | freemium_granted_not_paid
        freemium_granted_not_paid | answer version 4.11 / answer version 4.10.0 \
        | full legacy changed @ | consistent
        refund_reversed_not_restored | pro @ / pro -10 | pro off | active_not_granted
        active_not_granted | pro @ / pro -30 | pro off | consistent
        grace_not_granted | pro @-30, renewal grace 5 / pro -36, renewal retry | pro off \
        | consistent
        owned_not_granted | unlock @ / unlock -9 cancelled -0.001 | unlock off | consistent
        freemium_paid_not_granted | answer version 4.9 / answer version 4.11 \
        | full off legacy changed @ | consistent
        duplicate_grant | max @ / max -9 | pro to 20, max to 20 / pro to 20, max off to 20 \
        | upgrade_not_applied
        upgrade_not_applied | max @ / yearly -9 | pro to 20 | product_mismatch
        downgrade_not_applied | lite @ / plus -9 | pro to 20 | product_mismatch
        product_mismatch | yearly @ / pro -10 | pro to 20 | consistent
        expiry_missing | pro @ / unlock -9 | pro / unlock | consistent
        expiry_too_late | pro @ / pro -9 | pro to @+30 late 61 / pro to 21 late 60 | consistent
        expiry_too_early | pro @ / pro -9 | pro to @+30 late -61 / pro to 21 late -60 | consistent
        ownership_mismatch | pro @ purchased / pro -10 purchased | pro to @+30 family / pro to 20 \
        | consistent
        label_stale | pro @, renewal off / pro -10, renewal \
        | pro to @+30 renews changed @ / pro to 20 renews | consistent
        """
    ).compactMap { cells in FindingKind(rawValue: cells[0]).map { Line(kind: $0, cells: cells) } }
}

/// A kind that one user's evidence shows, besides those on rows. `SightingTests` has the kinds that
/// need several users.
struct Fact: Sendable, CustomTestStringConvertible {
    let kind: FindingKind
    private let cells: [String]

    var testDescription: String { kind.rawValue }
    /// In the nearest world that does not show it.
    var nearly: Judgement { judgement(0.001, side: 1) }

    /// In the smallest world that shows it, with its event on that day, and in one with more.
    func judgement(
        _ day: Double = -1, beside more: String = "", _ row: String = "", side: Int = 0
    ) -> Judgement {
        var evidence = UserEvidence(
            user: "u", receipts: shown(cells[1].side(side) + ";" + more, cause: day),
            entitlements: stored(cells[2].side(side) + "," + row, cause: day))
        evidence.downloadKeys = cells[3].side(side).split(separator: ",").map { product in
            let words = product.split(separator: " ")
            return .cut(
                words.contains("uncut") ? nil : "key-1", for: ProductID(String(words[0])),
                ends: words.contains("over") ? 0 : 0.02)
        }
        let refund = kind == .refundReversed ? [LedgerEntry.refund(cancelled: day)] : []
        var catalog = Catalog.acme
        catalog.downloadable = ["unlock", "pro.monthly"]
        return Judge(catalog: catalog, settings: Judge.acme.settings)
            .judgement(of: evidence, history: UserHistory(refund))
    }

    /// Each kind, its receipts, rows and download keys, and after "/" those of the near miss.
    static let all = textTable(
        """
        refund_recorded | coins -20 cancelled @ / coins -20 cancelled 0.001 | |
        family_revocation_recorded | pro -20 cancelled @ family / \
        pro -20 cancelled -4 upgraded family | |
        refund_reversed | pro -20 / pro -20 cancelled 0.001 | pro to 10 |
        expired | pro @-30 / pro -40 | / pro to 20 |
        receipt_not_authentic | refused / unchecked | |
        receipt_account_gone | gone / unchecked | |
        receipt_malformed | malformed / unchecked | |
        receipt_is_jws | jws / unchecked | |
        receipt_from_xcode | xcode / unchecked | |
        receipt_for_other_app | answer for other / answer | |
        implausible_dates | pro -10..230.001 / pro -10..230 | |
        parse_anomaly | answer anomaly / answer | |
        receipt_contradicts_answer | answer contradicted / answer | |
        download_key_for_revoked_product | unlock -20 cancelled -2 | | unlock / unlock over
        download_key_orphaned | unlock -20 | | other / unlock
        product_not_unlocked | unlock -20, pro -20 | pro to 10 | unlock / unlock, pro.monthly uncut
        """
    ).compactMap { cells in FindingKind(rawValue: cells[0]).map { Fact(kind: $0, cells: cells) } }
}

extension String {
    /// A cell's own text or, if it has one, that of the near miss.
    fileprivate func side(_ side: Int) -> String {
        let sides = split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return sides.count > side ? sides[side] : self
    }
}
