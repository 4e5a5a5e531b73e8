import Testing

@testable import Reconcile

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
        func finding(_ row: StoredEntitlement) throws -> Finding {
            let findings = Judge.acme.judgement(of: [.stored(validation)], [row]).findings
            return try #require(findings.first { $0.kind.file == .receipts })
        }
        let grave = try finding(.row())
        #expect("\(grave.kind.rawValue) \(grave.weighed)" == granted)
        #expect(grave.receipt == "r1" && grave.reference == "r1" && grave.entitlement == nil)
        #expect(try finding(.row(isActive: false)).weighed == otherwise)
    }

    static let bad: [(FindingKind, Validation)] = [
        (.receiptNotAuthentic, .rejected(.notAuthentic)),
        (.receiptNotAuthentic, .rejected(.signature)),
        (.receiptForOtherApp, .verified(.showing(bundle: "other"))),
    ]

    private static let active = [ReceiptEvidence.showing(AppleLine.period(from: -20, to: 10))]
    private static let ended = [ReceiptEvidence.showing(AppleLine.period(from: -80, to: -50))]
    private static let grace = ReceiptEvidence.answered(
        AppleLine.answer(
            latest: [AppleLine.period(from: -35, to: -5)],
            renewals: [AppleLine.renewal(grace: 5)]))
    private static let pro = StoredEntitlement.row("e1", expires: 10)
    private static let unlock = StoredEntitlement.row("e2", "unlock")
    private static let full = StoredEntitlement.row("e1", "full")

    /// The user's other receipts and rows, and the weight of the bad one.
    static let worlds: [AnsweredCase] = [
        .init("a row that nothing else proves", [], unlock, is: "critical leak"),
        .init("a row of a chain that ended", ended, pro, is: "critical leak"),
        .init("one row, though another is proved", active, pro, unlock, is: "critical leak"),
        .init(
            "a row of another right", active, .row("e1", "solo.monthly"), is: "critical leak"),
        .init("a row of another product than the app's", got("4.0"), unlock, is: "critical leak"),
        .init("a row of the app that was not paid for", got("5.0"), full, is: "critical leak"),
        .init("nothing that is granted", [], .row("e1", isActive: false), is: "medium none"),
        .init("no row", [], is: "medium none"),
        .init("a row that another receipt proves", active, pro, is: "medium none"),
        .init(
            "a row of another product of the right", active, .row("e1", "max.monthly"),
            is: "medium none"),
        .init("a row in grace", [grace], .row("e1", expires: 5), is: "medium none"),
        .init("a row of the app that was paid for", got("4.0"), full, is: "medium none"),
        .init("a row whose time is over", [], .row("e1", expires: -1), is: "medium none"),
        .init("a gift", [], .row("e1", source: .other("promo")), is: "medium none"),
        .init(
            "a row that is no purchase", got("5.0"), .row("e1", "full", source: .legacyPaid),
            is: "medium none"),
    ]

    @Test(
        "A bad receipt is a critical leak next to a grant that nothing else explains, else medium",
        arguments: bad, worlds)
    func weighsByProof(bad: (kind: FindingKind, Validation), world: AnsweredCase) throws {
        let receipts = world.receipts + [.stored("r9", bad.1)]
        let judgement = Judge.acme.judgement(of: receipts, world.rows)
        #expect([try judgement.only(bad.kind).weighed] == world.expected)
    }

    @Test("An unverified receipt and an invalid stored row give no finding of their own")
    func silent() {
        let judgement = Judge.acme.judgement(
            of: [.stored(.unverified(.timeout))], [], invalidReceipts: 1)
        #expect(judgement.findings.isEmpty)
    }
}

@Suite("A finding about an answer")
struct AnswerFindingTests {
    private static func long(_ change: (inout Transaction) -> Void) -> Receipt {
        var transaction = Transaction.monthly(bought: -10, days: 300)
        change(&transaction)
        return .showing(transaction)
    }

    private static func lasting(_ days: Double) -> Transaction { .monthly(bought: -10, days: days) }

    static let dates: [(String, Receipt, isFound: Bool)] = [
        ("bought two days after it", .showing(.monthly(bought: 2), requested: 0), false),
        ("bought later than that", .showing(.monthly(bought: 2.001), requested: 0), true),
        (
            "bought once, later than that", .showing(.once("1", "coins", bought: 3), requested: 0),
            true
        ),
        ("bought so late, without a date of the answer", .showing(.monthly(bought: 3)), false),
        ("that expires as it is bought", .showing(lasting(0)), false),
        ("that expires before it is bought", .showing(lasting(-0.001)), true),
        ("of twice a month and 180 days", .showing(lasting(240)), false),
        ("of longer than that", .showing(lasting(240.001)), true),
        ("so long, on trial", long { $0.isTrial = true }, false),
        ("so long, as an introduction", long { $0.isIntroductoryOffer = true }, false),
        ("so long, as a promotion", long { $0.promotionalOffer = "p" }, false),
        ("so long, by a code", long { $0.offerCode = "c" }, false),
        ("so long, without a billing period", long { $0.product = "solo.monthly" }, false),
        ("so long, of an unknown product", long { $0.product = "nobody.knows" }, false),
        ("so long, upgraded", long { $0.isUpgraded = true }, true),
        ("in the sandbox", .showing(lasting(-1), environment: .sandbox), false),
        ("for another app", .showing(lasting(-1), bundle: "other"), false),
    ]

    @Test("A purchase with implausible dates is a finding", arguments: dates)
    func implausible(title: String, receipt: Receipt, isFound: Bool) throws {
        let findings = Judge.acme.judgement(of: verified(receipt), []).findings
            .filter { $0.kind == .implausibleDates }
        #expect(findings.count == (isFound ? 1 : 0))
        guard let finding = findings.first else { return }
        #expect(finding.receipt == "r1" && finding.reference == "r1" && finding.bundle == "acme")
        #expect(finding.weighed == "medium none")
        #expect(finding.transaction == nil && finding.appleState == AppleState.none)
    }

    @Test("Implausible dates are told once, of the smallest transaction, whatever is missing")
    func once() throws {
        let two = [("8", -2), ("7", -1)].map { id, days in
            Transaction.monthly(TransactionID(id), bought: -10, days: days)
        }
        for order in [two, two.reversed()] {
            let receipts = [.stored(.verified(.showing(order))), unchecked]
            let finding = try Judge.acme.judgement(of: receipts, []).only(.implausibleDates)
            #expect(finding.explanation.contains("transaction 7 of pro.monthly"))
        }
    }

    @Test(
        "An answer with parse anomalies gives one finding, in any environment and app",
        arguments: [("acme", .production), ("acme", .sandbox), ("other", .production)]
            as [(BundleID, StoreEnvironment)])
    func anomalies(bundle: BundleID, environment: StoreEnvironment) throws {
        let receipt = Receipt.showing(
            bundle: bundle, environment: environment,
            anomalies: [anomaly, ParseAnomaly(key: "purchase_date")])
        let finding = try Judge.acme.judgement(of: verified(receipt), []).only(.parseAnomaly)
        #expect(finding.weighed == "low none" && finding.proposedAction == .investigate)
        #expect(finding.receipt == "r1" && finding.bundle == bundle)
        #expect(finding.environment == environment)
    }

    private func contradiction(
        _ validation: Validation, _ contradictions: Contradiction...
    ) -> Judgement {
        var evidence = ReceiptEvidence.stored(validation)
        evidence.contradictions = contradictions
        return Judge.acme.judgement(of: [evidence], [])
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
        let finding = try self.contradiction(.verified(.showing()), contradiction)
            .only(.receiptContradictsAnswer)
        #expect(finding.weighed == "medium none" && finding.kind.file == .receipts)
        #expect(finding.receipt == "r1" && finding.reference == "r1")
        #expect(finding.explanation.contains(words), "\(finding.explanation)")
        let two = try self.contradiction(
            .verified(.showing()), contradiction, .bundle(signed: "x")
        ).only(.receiptContradictsAnswer)
        #expect(two.explanation.contains("(and 1 more): both cannot be true."))
    }

    @Test("Without a contradiction, an anomaly or an answer there is no finding")
    func isNone() {
        #expect(contradiction(.verified(.showing())).findings.isEmpty)
        let unread = contradiction(.unverified(.timeout), .bundle(signed: "x"))
        #expect(unread.findings.isEmpty)
    }
}
