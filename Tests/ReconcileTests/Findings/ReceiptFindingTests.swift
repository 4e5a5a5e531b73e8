import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A finding about a receipt or its answer")
struct ReceiptFindingTests {
    @Test(
        "The severity is higher when the user is granted something that nothing else gives",
        arguments: scenes(
            """
            OTHER = answer for other
            refused / forged | receipt_not_authentic | critical leak | medium none
            gone | receipt_account_gone | medium none | medium none
            malformed / empty | receipt_malformed | high none | low none
            jws | receipt_is_jws | low none | low none
            xcode | receipt_from_xcode | low none | low none
            OTHER / OTHER sandbox | receipt_for_other_app | critical leak | medium none
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
        choices(
            """
             | unlock                                     | critical leak
            pro -80 | pro to 10                           | critical leak
            pro -20 | pro to 10, unlock / solo            | critical leak
            answer version 4.0 | unlock                   | critical leak
            answer  | full                                | critical leak
             | pro off / / pro to -1 / pro gift           | medium none
            pro -20 | pro to 10 / max                     | medium none
            pro -35, renewal grace 5 | pro to 5           | medium none
            answer version 4.0 | full                     | medium none
            answer  | full legacy                         | medium none
            """))
    func weighsByProof(bad: String, world: [String]) throws {
        let findings = Judge.acme.judgement("\(world[0]); \(bad)", world[1]).findings
        #expect(findings.filter { $0.kind.file == .receipts }.map(\.weighed) == [world[2]])
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
        var evidence = shown("answer")
        evidence[0].contradictions = contradictions
        return try Judge.acme.judgement(of: evidence, []).only(.receiptContradictsAnswer)
    }
}
