import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A finding")
struct FindingTests {
    /// A kind; receipts and stored rows in the words of FindingsKit.swift; the finding. A right
    /// that is owed has no row here. An earlier run saw a refund of the line item 7.
    @Test(
        "A finding has the stored side, Apple's side and the receipt, if there are any",
        arguments: scenes(
            """
            PRO = user u, receipt r1, productApple pro.monthly, originalTransaction 1, \
            transaction 1, environment production, bundle acme
            SHOWN = none investigate, user u, receipt r1, environment production
            NOTHING = appleState none, reference r1
            CUT = appleState revoked, appleExpiresAt day -4, eventAt day -4, reason app_issue
            refunded_still_granted | pro -10 id 9 of 8 cancelled -4 reason 1 purchased | yearly to \
            20 | critical leak revoke, user u, entitlement e1, receipt r1, productStored \
            pro.yearly, productApple pro.monthly, originalTransaction 8, transaction 9, \
            environment production, bundle acme, ownership purchased, storedActive true, \
            storedExpiresAt day 20, CUT
            grant_without_receipt | | pro | medium none investigate, user u, entitlement e1, \
            productStored pro.monthly, storedActive true, appleState none, eventAt day -10
            active_not_granted | pro -10 | | critical owed restore, PRO, appleState active, \
            appleExpiresAt day 20, eventAt day -10, reference group:G
            freemium_paid_not_granted | answer version 4.0 | | high owed restore, user u, \
            productApple full, appleState none, reference product:full
            refund_recorded | pro -10 cancelled -4 reason 1; pro -10 cancelled -4 | | info none \
            none, PRO, CUT, reference 1
            refund_reversed | pro -10 order 7 | pro to 20 | info none none, PRO, appleState \
            active, appleExpiresAt day 20, eventAt day -40, reference 7
            expired | pro -40 | | info none none, PRO, appleState expired, appleExpiresAt day -10, \
            eventAt day -10, reason unknown, reference chain:1@1794276000000
            implausible_dates | pro -10..-11 | | medium SHOWN, bundle acme, NOTHING
            parse_anomaly | answer anomaly hides 1 | | low SHOWN, bundle acme, NOTHING
            parse_anomaly | answer anomaly for other | | low SHOWN, bundle other, NOTHING
            parse_anomaly | answer anomaly sandbox | | low none investigate, user u, receipt r1, \
            environment sandbox, bundle acme, NOTHING
            """))
    func facts(cells: [String]) throws {
        let history = UserHistory([.refund("7", cancelled: -40)])
        let judgement = Judge.acme.judgement(cells[1], cells[2], after: history)
        let finding = try judgement.only(try #require(FindingKind(rawValue: cells[0])))
        #expect(finding.facts == cells[3])
    }

    @Test("Different parts give different ids, so that a user's findings differ in their right")
    func identity() {
        func id(_ user: UserID, _ reference: String) -> String {
            FindingIdentity(kind: .expired, user: user, entitlement: nil, reference: reference).id
        }
        #expect(id("ab", "c") != id("a", "bc") && id("ab", "c") == id("ab", "c"))
        let teams = "team.m auto_renewable group team, team auto_renewable"
        let catalog = Catalog(teams + ", a non_renewing 7-days, b non_renewing 7-days")
        let receipt = "team.m -10..20, team -9..21 of 2, a -40 id 3, b -40 id 4 of 3"
        let judgement = Judge(catalog).judgement(receipt)
        #expect(judgement.kinds == [.activeNotGranted, .activeNotGranted, .expired, .expired])
        #expect(Set(judgement.findings.map(\.identity.id)).count == 4)
    }

    /// A refund's reference is its line item, else an id, which two purchases share in some
    /// receipts. The last line's second refund is older than the event horizon.
    @Test(
        "Two refunds with one reference are reported once, for the first purchase",
        arguments: """
            pro -10 id 1 cancelled -4 order 77  | max -10 id 3 of 3 cancelled -4 order 77
            coins -9 id 2 cancelled -5 order 77 | coins -8 id 3 cancelled -5 order 77
            coins -9 id 2 cancelled -5          | unlock -8 id 4 of 2 cancelled -5
            coins -9 id 2 cancelled -5 order 77 | coins -99 id 3 cancelled -95 order 77
            """.pairs)
    func refundsAlike(_ first: String, _ second: String) throws {
        for order in ["\(first), \(second)", "\(second), \(first)"] {
            let judged = Judge.acme.judgement(order)
            #expect(judged.outcome == ["refund_recorded"] && judged.remembered.isEmpty)
            let id = try judged.only(.refundRecorded).transaction
            #expect(id == (first.hasPrefix("pro") ? "1" : "2"))
        }
    }

    /// FindingRuleTests, about README, does not look at the weight of such a kind.
    @Test("Only kinds whose weight depends on the user have a lesser weight")
    func lesserWeights() {
        let kinds = FindingKind.allCases.filter { $0.lesserWeight != nil }
        #expect(Set(kinds) == [.receiptForOtherApp, .receiptMalformed, .receiptNotAuthentic])
    }

    /// A bad receipt, the user's other receipts and rows, and the weight, some with the kind.
    @Test(
        "A bad receipt has a higher severity next to a grant that nothing else gives",
        arguments: scenes(
            """
            BAD = refused / forged / OTHER
            OTHER = answer for other / answer for other sandbox
            refused / forged | | pro     | receipt_not_authentic critical leak
            refused / forged | | pro off | receipt_not_authentic medium none
            OTHER            | | pro     | receipt_for_other_app critical leak
            OTHER            | | pro off | receipt_for_other_app medium none
            BAD |         | unlock                        | critical leak
            BAD | pro -80 | pro to 10                     | critical leak
            BAD | pro -20 | pro to 10, unlock / solo      | critical leak
            BAD | answer version 4.0 | unlock             | critical leak
            BAD | answer  | full                          | critical leak
            BAD |         | / pro to -1 / pro gift        | medium none
            BAD | pro -20 | pro to 10 / max               | medium none
            BAD | pro -35, renewal grace 5 | pro to 5     | medium none
            BAD | answer version 4.0 | full               | medium none
            BAD | answer  | full legacy                   | medium none
            gone              | | pro / pro off | receipt_account_gone medium none
            malformed / empty | | pro           | receipt_malformed high none
            malformed / empty | | pro off       | receipt_malformed low none
            jws               | | pro / pro off | receipt_is_jws low none
            xcode             | | pro / pro off | receipt_from_xcode low none
            """))
    func weighs(cells: [String]) {
        let receipts = cells.prefix(2).filter { !$0.isEmpty }.joined(separator: ";")
        let judgement = Judge.acme.judgement(receipts, cells[2])
        let found = judgement.findings.filter { $0.kind.file == .receipts }
        let told = found.map { "\($0.kind.rawValue) \($0.weighed)" }
        #expect(told.count == 1 && told[0].hasSuffix(cells[3]))
        let names = found.map { [$0.receipt?.text, $0.reference, $0.entitlement?.text] }
        #expect(names == [["r1", "r1", nil]])
    }

    /// The first cells have receipts that make evidence missing, and the finding about them.
    @Test(
        "Missing evidence hides a row's leaks, except a settled refund that the row names",
        arguments: """
            jws            | receipt_is_jws
            malformed      | receipt_malformed
            gone           | receipt_account_gone
            unchecked      | nothing
            answer anomaly | parse_anomaly
            """.pairs,
        scenes(
            """
            UNLOCK = unlock -20 id 5 of 4
            PASS = pass -20 id 5 of 4
            PRO = pro -20 id 8 of 7
            PRO cancelled -5        | pro to 10 chain 7  | refunded_still_granted e1, +refund
            UNLOCK cancelled -5     | unlock chain 4     | refunded_still_granted e1, +refund
            PASS cancelled -5       | pass to 10 chain 4 | refunded_still_granted e1, +refund
            PRO cancelled -5 family | pro to 10 chain 7  | family_revoked_still_granted e1, +family
            PRO cancelled -5        | pro to 10 / pro to 10 chain 99 | unverified, +refund
            UNLOCK cancelled -5     | unlock             | unverified, +refund
            pro -80                 | pro to 10 chain 1  | unverified, expired
            PRO cancelled -0.5      | pro to 10 chain 7  | settling, +refund
            """))
    func hides(missing: (receipt: String, finding: String), scene: [String]) {
        check(["\(scene[0]); \(missing.receipt)", scene[1], "\(scene[2]), \(missing.finding)"])
    }

    @Test(
        "A purchase with implausible dates is a finding",
        arguments: choices(
            """
            bought by two days after the answer | pro 2 / answer undated, pro 3            | no
            bought later than that              | pro 2.001 / coins 3                      | yes
            expires as it is bought             | pro -10..-10                             | no
            expires before it is bought         | pro -10..-10.001                         | yes
            of twice a month and 180 days       | pro -10..230                             | no
            of longer than that                 | pro -10..230.001 / pro -10..290 upgraded | yes
            so long, on trial                | pro -10..290 trial / pro -10..290 introductory | no
            so long, by an offer             | pro -10..290 promotion p / pro -10..290 code c | no
            so long, without a known period     | solo -10..290 / nobody.knows -10..290    | no
            twice, while another is unchecked   | pro 3, pro -10..-11; unchecked           | yes
            of no right here | answer sandbox, pro -10..-11 / answer for other, pro -10..-11 | no
            """))
    func implausible(cells: [String]) {
        let found = Judge.acme.judgement(cells[1]).kinds.filter { $0 == .implausibleDates }
        #expect(found.count == (cells[2] == "yes" ? 1 : 0))
    }

    @Test(
        "Each contradicting receipt gives one finding, whose explanation names both sides",
        arguments: zip(
            [
                .bundle(signed: "acme.old"), .product(of: "7", signed: "a", answered: "b"),
                .purchaseDate(of: "7", signed: .day(0), answered: .day(1)),
                .cancellation(of: "7", signed: .day(0)),
            ] as [Contradiction],
            [
                "is of the app acme.old, and Apple's answer of acme:",
                "has a in transaction 7, and Apple's answer b:",
                "has transaction 7 bought at \(Instant.day(0)), and Apple's answer at",
                "cancelled at \(Instant.day(0)), and Apple's answer has it not cancelled:",
            ]))
    func contradicts(contradiction: Contradiction, words: String) throws {
        let finding = try finding(contradiction)
        #expect(finding.weighed == "medium none" && finding.kind.file == .receipts)
        #expect(finding.receipt == "r1" && finding.reference == "r1")
        #expect(finding.explanation.contains(words))
        let two = try self.finding(contradiction, .bundle(signed: "x"))
        #expect(two.explanation.contains("(and 1 more): both cannot be true."))
    }

    private func finding(_ contradictions: Contradiction...) throws -> Finding {
        let answer = shown("answer")[0].validation
        let evidence = ReceiptEvidence.stored("r1", answer, contradictions: contradictions)
        return try Judge.acme.judgement(of: [evidence], []).only(.receiptContradictsAnswer)
    }
}

@Suite("A user judged offline (decision 70)")
struct OfflineJudgementTests {
    /// The kinds of the first table (about stored rows: `Line.all`) that are found offline.
    /// All others leave the row `unverified`.
    private static let found: Set<FindingKind> = [
        .grantWithoutReceipt, .activeNotGranted, .ownedNotGranted, .freemiumPaidNotGranted,
        .upgradeNotApplied, .expiryTooEarly,
    ]

    @Test(
        "A row has a finding of the first table only where a receipt alone proves it",
        arguments: Line.all)
    func firstTable(line: Line) {
        for cause in [-1, -0.5] {
            let judgement = line.judgement(cause, by: .offline)
            let kinds = judgement.findings.filter { $0.entitlement == "e1" }.map(\.kind)
            #expect(judgement.entitlements.isBalanced)
            if !Self.found.contains(line.kind) {
                #expect(kinds.isEmpty && judgement.notReported.first?.bucket == .unverified)
            } else if cause == -1 {
                #expect(kinds == [line.kind])
            }
        }
    }

    @Test("The second table's lines are those that a signed receipt shows")
    func secondTable() throws {
        let evidence = """
            pro -10 cancelled -5 reason 1, pro -320..-20 id 5 of 5; coins 4; answer anomaly; \
            answer for other; forged; gone; jws; xcode; malformed
            """
        let online = Judge.acme.judgement(evidence)
        let offline = Judge.offline.judgement(evidence)
        #expect(online.kinds.filter { $0 == .implausibleDates }.count == 2)
        #expect(online.kinds.contains(.receiptAccountGone) && online.kinds.contains(.expired))
        // Only Apple's answers have a reason.
        #expect(try offline.only(.refundRecorded).reason == nil)
        #expect(
            offline.kinds == [
                .implausibleDates, .parseAnomaly, .receiptForOtherApp, .receiptFromXcode,
                .receiptIsJWS, .receiptMalformed, .receiptNotAuthentic, .refundRecorded,
            ])
    }

    /// A receipt is outdated if it is over a day older than the row's change, or if an earlier run
    /// saw a refund, as the last cell says. The original version never changes.
    @Test(
        "A confirmed row is consistent, and a receipt makes a right owed unless it is outdated",
        arguments: choices(
            """
            pro -10            | pro off changed -2         | active_not_granted e1
            pro -10            | pro to 5 changed -2        | expiry_too_early e1
            pro -10            | pro off changed -1.999 / pro to 5 changed -1.999 | unverified
            answer version 4.0 | full off legacy changed -1 | freemium_paid_not_granted e1
            pro -10            | pro to 20                  | consistent
            pro -40            | pro off                    | unverified
                               | pro off                    | consistent
            pro -10            |                            | active_not_granted
            pro -10            | pro off / pro to 20        | unverified | refunded
            pro -10            |                            |            | refunded
            """))
    func rows(scene: [String]) {
        let refunds = scene.count > 3 ? [LedgerEntry.refund(cancelled: -8)] : []
        let judgement = Judge.offline.judgement(scene[0], scene[1], after: UserHistory(refunds))
        #expect(judgement.outcome.joined(separator: ", ") == scene[2])
        #expect(judgement.remembered.isEmpty)
    }

    @Test(
        "Every explanation says that the run was offline, and names no answer",
        arguments: choices(
            """
            answer version 4.0 | full off legacy
            answer anomaly, unlock -10..-11 / forged / answer for other | pro
            """))
    func sentences(cells: [String]) {
        let sentences = Judge.offline.judgement(cells[0], cells[1]).findings.map(\.explanation)
        #expect(!sentences.isEmpty && sentences.allSatisfy { $0.contains("judged offline") })
        #expect(!"\(sentences)".contains("answer") && !"\(sentences)".contains("21002"))
    }
}
