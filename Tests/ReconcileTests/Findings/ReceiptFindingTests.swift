import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A finding about a receipt")
struct ReceiptFindingTests {
    @Test(
        "The severity is higher when the user is granted something that nothing else gives",
        arguments: textTriples(
            """
            refused                  | receipt_not_authentic critical leak | medium none
            forged                   | receipt_not_authentic critical leak | medium none
            gone                     | receipt_account_gone medium none    | medium none
            malformed                | receipt_malformed high none         | low none
            empty                    | receipt_malformed high none         | low none
            jws                      | receipt_is_jws low none             | low none
            xcode                    | receipt_from_xcode low none         | low none
            answer for other         | receipt_for_other_app critical leak | medium none
            answer for other sandbox | receipt_for_other_app critical leak | medium none
            """))
    func weighs(receipt: String, granted: String, otherwise: String) throws {
        func finding(_ row: String) throws -> Finding {
            let findings = Judge.acme.judgement(receipt, row).findings
            return try #require(findings.first { $0.kind.file == .receipts })
        }
        let grave = try finding("pro")
        #expect("\(grave.kind.rawValue) \(grave.weighed)" == granted)
        #expect(grave.receipt == "r1" && grave.reference == "r1" && grave.entitlement == nil)
        #expect(try finding("pro off").weighed == otherwise)
    }

    /// The user's other receipts and rows, and the weight of the bad receipt.
    @Test(
        "A bad receipt is a critical leak next to a grant that nothing else explains, else medium",
        arguments: [
            (.receiptNotAuthentic, "refused"), (.receiptNotAuthentic, "forged"),
            (.receiptForOtherApp, "answer for other"),
        ] as [(FindingKind, String)],
        scenes(
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
    func weighsByProof(bad: (kind: FindingKind, receipt: String), world: AnsweredCase) throws {
        var receipt = shown(bad.receipt)[0]
        receipt.id = "r9"
        let judgement = Judge.acme.judgement(of: world.receipts + [receipt], world.rows)
        #expect([try judgement.only(bad.kind).weighed] == world.expected)
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
            in the sandbox                           | answer sandbox, pro -10..-11   | no
            for another app                          | answer for other, pro -10..-11 | no
            """))
    func implausible(title: String, receipt: String, isFound: String) throws {
        let findings = Judge.acme.judgement(receipt).findings.filter {
            $0.kind == .implausibleDates
        }
        #expect(findings.count == (isFound == "yes" ? 1 : 0))
        guard let finding = findings.first else { return }
        #expect(finding.receipt == "r1" && finding.reference == "r1" && finding.bundle == "acme")
        #expect(finding.weighed == "medium none")
        #expect(finding.transaction == nil && finding.appleState == AppleState.none)
    }

    @Test(
        "Implausible dates are told once, of the smallest transaction, whatever is missing",
        arguments: [
            "pro -10..-12 id 8, pro -10..-11 id 7; unchecked",
            "pro -10..-11 id 7, pro -10..-12 id 8; unchecked",
        ])
    func once(receipts: String) throws {
        let finding = try Judge.acme.judgement(receipts).only(.implausibleDates)
        #expect(finding.explanation.contains("transaction 7 of pro.monthly"))
    }

    @Test(
        "An answer with parse anomalies gives one finding, in any environment and app",
        arguments: [
            ("", "acme", .production), (" sandbox", "acme", .sandbox),
            (" for other", "other", .production),
        ] as [(String, BundleID, StoreEnvironment)])
    func anomalies(words: String, bundle: BundleID, environment: StoreEnvironment) throws {
        let finding = try Judge.acme.judgement("answer anomaly hides 1\(words)").only(.parseAnomaly)
        #expect(finding.weighed == "low none" && finding.proposedAction == .investigate)
        #expect(finding.receipt == "r1" && finding.bundle == bundle)
        #expect(finding.environment == environment)
    }

    private func contradiction(_ receipt: String, _ contradictions: Contradiction...) -> Judgement {
        var evidence = shown(receipt)
        evidence[0].contradictions = contradictions
        return Judge.acme.judgement(of: evidence, [])
    }

    @Test(
        "Each contradicting receipt gives one finding, whose explanation names both sides",
        arguments: [
            (.bundle(signed: "acme.old"), "is of the app acme.old, and Apple's answer of acme:"),
            (
                .product(of: "7", signed: "a", answered: "b"),
                "has a in transaction 7, and Apple's answer b:"
            ),
            (
                .purchaseDate(of: "7", signed: .init(milliseconds: 0), answered: .asOf),
                "has transaction 7 bought at 1970-01-01T00:00:00Z, and Apple's answer at"
            ),
            (
                .cancellation(of: "7", signed: .init(milliseconds: 0)),
                "cancelled at 1970-01-01T00:00:00Z, and Apple's answer has it not cancelled:"
            ),
        ] as [(Contradiction, String)])
    func contradicts(contradiction: Contradiction, words: String) throws {
        let finding = try self.contradiction("answer", contradiction)
            .only(.receiptContradictsAnswer)
        #expect(finding.weighed == "medium none" && finding.kind.file == .receipts)
        #expect(finding.receipt == "r1" && finding.reference == "r1")
        #expect(finding.explanation.contains(words), "\(finding.explanation)")
        let two = try self.contradiction("answer", contradiction, .bundle(signed: "x"))
            .only(.receiptContradictsAnswer)
        #expect(two.explanation.contains("(and 1 more): both cannot be true."))
    }

    @Test("An answer alone, a receipt without one and an invalid stored row give no finding")
    func isNone() {
        let judgement = Judge.acme.judgement(of: shown("unchecked"), [], invalidReceipts: 1)
        #expect(judgement.findings.isEmpty)
        #expect(contradiction("answer").findings.isEmpty)
        #expect(contradiction("unchecked", .bundle(signed: "x")).findings.isEmpty)
    }
}
