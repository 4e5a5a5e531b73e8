import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A finding about a receipt")
struct ReceiptFindingTests {
    @Test(
        "The severity is higher when the user is granted something that nothing else gives",
        arguments: textTable(
            """
            refused                  | receipt_not_authentic | critical leak | medium none
            forged                   | receipt_not_authentic | critical leak | medium none
            gone                     | receipt_account_gone  | medium none   | medium none
            malformed                | receipt_malformed     | high none     | low none
            empty                    | receipt_malformed     | high none     | low none
            jws                      | receipt_is_jws        | low none      | low none
            xcode                    | receipt_from_xcode    | low none      | low none
            answer for other         | receipt_for_other_app | critical leak | medium none
            answer for other sandbox | receipt_for_other_app | critical leak | medium none
            """))
    func weighs(cells: [String]) throws {
        for (row, weight) in [("pro", cells[2]), ("pro off", cells[3])] {
            let findings = Judge.acme.judgement(cells[0], row).findings
            let finding = try #require(findings.first { $0.kind.file == .receipts })
            #expect(finding.kind.rawValue == cells[1] && finding.weighed == weight)
            #expect(finding.receipt == "r1" && finding.reference == "r1")
            #expect(finding.entitlement == nil)
        }
    }

    /// The user's other receipts and rows, and the weight of the bad receipt.
    @Test(
        "A bad receipt is a critical leak next to a grant that nothing else explains, else medium",
        arguments: ["refused", "forged", "answer for other"],
        textTriples(
            """
                    | unlock            | critical leak | a row that nothing else proves
            pro -80 | pro to 10         | critical leak | a row of a chain that ended
            pro -20 | pro to 10, unlock | critical leak | one row, though another is proved
            pro -20 | solo              | critical leak | a row of another right
            answer version 4.0 | unlock | critical leak | a row of another product than the app's
            answer  | full              | critical leak | a row of the app that was not paid for
                    | pro off           | medium none   | nothing that is granted
                    |                   | medium none   | no row
            pro -20 | pro to 10         | medium none   | a row that another receipt proves
            pro -20 | max               | medium none   | a row of another product of the right
            pro -35, renewal grace 5 | pro to 5          | medium none   | a row in grace
            answer version 4.0 | full | medium none | a row of the app that was paid for
                    | pro to -1         | medium none   | a row whose time is over
                    | pro gift          | medium none   | a gift
            answer  | full legacy       | medium none   | a row that is no purchase
            """))
    func weighsByProof(bad: String, world: (receipts: String, rows: String, weight: String)) throws
    {
        let judgement = Judge.acme.judgement("\(world.receipts); \(bad)", world.rows)
        let isForOther = bad == "answer for other"
        let finding = try judgement.only(isForOther ? .receiptForOtherApp : .receiptNotAuthentic)
        #expect(finding.weighed == world.weight)
    }

    /// The first cells have receipts that make evidence missing, and the finding about them.
    @Test(
        "Missing evidence hides a row's leaks, except a settled refund that the row names",
        arguments: textPairs(
            """
            jws            | receipt_is_jws
            malformed      | receipt_malformed
            gone           | receipt_account_gone
            unchecked      | nothing
            answer anomaly | parse_anomaly
            """),
        textTriples(
            """
            PRO cancelled -5        | pro to 10 chain 7  | refunded_still_granted e1, +refund
            UNLOCK cancelled -5     | unlock chain 4     | refunded_still_granted e1, +refund
            PASS cancelled -5       | pass to 10 chain 4 | refunded_still_granted e1, +refund
            PRO cancelled -5 family | pro to 10 chain 7  | family_revoked_still_granted e1, +family
            PRO cancelled -5        | pro to 10          | unverified, +refund
            PRO cancelled -5        | pro to 10 chain 99 | unverified, +refund
            UNLOCK cancelled -5     | unlock             | unverified, +refund
            pro -80                 | pro to 10 chain 1  | unverified, expired
            PRO cancelled -0.5      | pro to 10 chain 7  | settling, +refund
            """))
    func hides(
        missing: (receipt: String, finding: String),
        scene: (receipt: String, row: String, outcome: String)
    ) {
        let short = """
            UNLOCK = unlock -20 id 5 of 4
            PASS = pass -20 id 5 of 4
            PRO = pro -20 id 8 of 7
            """
        let line = "\(scene.receipt); \(missing.receipt) | \(scene.row) | \(scene.outcome)"
        scenes(short + "\n\(line), \(missing.finding)")[0].check()
    }
}

@Suite("A finding about an answer")
struct AnswerFindingTests {
    @Test(
        "A purchase with implausible dates is a finding",
        arguments: textTriples(
            """
            bought two days after the answer         | pro 2                          | no
            bought later than that                   | pro 2.001                      | yes
            bought once, later than that             | coins 3                        | yes
            bought so late, at no date of the answer | answer undated, pro 3          | no
            that expires as it is bought             | pro -10..-10                   | no
            that expires before it is bought         | pro -10..-10.001               | yes
            of twice a month and 180 days            | pro -10..230                   | no
            of longer than that                      | pro -10..230.001               | yes
            so long, on trial                        | pro -10..290 trial             | no
            so long, as an introduction              | pro -10..290 introductory      | no
            so long, as a promotion                  | pro -10..290 promotion p       | no
            so long, by a code                       | pro -10..290 code c            | no
            so long, without a billing period        | solo -10..290                  | no
            so long, of an unknown product           | nobody.knows -10..290          | no
            so long, upgraded                        | pro -10..290 upgraded          | yes
            twice, while another is unchecked        | pro 3, pro -10..-11; unchecked | yes
            in the sandbox                           | answer sandbox, pro -10..-11   | no
            for another app                          | answer for other, pro -10..-11 | no
            """))
    func implausible(title: String, receipt: String, isFound: String) {
        let kinds = Judge.acme.judgement(receipt).kinds.filter { $0 == .implausibleDates }
        #expect(kinds.count == (isFound == "yes" ? 1 : 0))
    }

    private func judgement(_ receipt: String, _ contradictions: Contradiction...) -> Judgement {
        var evidence = shown(receipt)
        evidence[0].contradictions = contradictions
        return Judge.acme.judgement(of: evidence, [])
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
        let finding = try judgement("answer", contradiction).only(.receiptContradictsAnswer)
        #expect(finding.weighed == "medium none" && finding.kind.file == .receipts)
        #expect(finding.receipt == "r1" && finding.reference == "r1")
        #expect(finding.explanation.contains(words), "\(finding.explanation)")
        let two = judgement("answer", contradiction, .bundle(signed: "x"))
        let more = try two.only(.receiptContradictsAnswer).explanation
        #expect(more.contains("(and 1 more): both cannot be true."))
    }

    @Test("An answer alone, a receipt without one and an invalid stored row give no finding")
    func isNone() {
        let judged = Judge.acme.judgement(of: shown("unchecked"), [.row()], invalidReceipts: 1)
        #expect(judged.outcome == ["unverified"])
        // With nothing but the invalid row, too.
        #expect(
            Judge.acme.judgement(of: [], [.row()], invalidReceipts: 1).outcome == judged.outcome)
        #expect(judgement("answer").findings.isEmpty)
        #expect(judgement("unchecked", .bundle(signed: "x")).findings.isEmpty)
    }
}
