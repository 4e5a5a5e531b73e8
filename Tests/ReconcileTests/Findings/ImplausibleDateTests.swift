import Testing

@testable import Reconcile

@Suite("An answer with implausible dates")
struct ImplausibleDateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let receipt: Receipt
        let isFound: Bool

        init(
            _ testDescription: String, _ transaction: Transaction, requested: Double? = 0,
            environment: StoreEnvironment = .production, bundle: BundleID = "acme",
            isFound: Bool
        ) {
            self.testDescription = testDescription
            receipt = .showing(
                transaction, bundle: bundle, environment: environment, requested: requested)
            self.isFound = isFound
        }
    }

    private static func monthly(
        days: Double, _ change: (inout Transaction) -> Void = { _ in }
    ) -> Transaction {
        var transaction = Transaction.monthly(bought: -10, days: days)
        change(&transaction)
        return transaction
    }

    static let rows = [
        Row("bought two days after the answer", .monthly(bought: 2), isFound: false),
        Row("bought later than that", .monthly(bought: 2.001), isFound: true),
        Row("bought once, later than that", .once("1", "coins", bought: 3), isFound: true),
        Row(
            "bought so late, by an answer without a date", .monthly(bought: 3), requested: nil,
            isFound: false),
        Row("that expires as it is bought", monthly(days: 0), isFound: false),
        Row("that expires before it is bought", monthly(days: -0.001), isFound: true),
        Row("of twice a month and 180 days", monthly(days: 240), isFound: false),
        Row("of longer than that", monthly(days: 240.001), isFound: true),
        Row("so long, on trial", monthly(days: 300) { $0.isTrial = true }, isFound: false),
        Row(
            "so long, as an introduction", monthly(days: 300) { $0.isIntroductoryOffer = true },
            isFound: false),
        Row(
            "so long, as a promotion", monthly(days: 300) { $0.promotionalOffer = "p" },
            isFound: false),
        Row("so long, by a code", monthly(days: 300) { $0.offerCode = "c" }, isFound: false),
        Row(
            "so long, without a billing period",
            .monthly("1", of: "1", "solo.monthly", bought: -10, days: 300), isFound: false),
        Row(
            "so long, of an unknown product",
            .monthly("1", of: "1", "nobody.knows", bought: -10, days: 300), isFound: false),
        Row("so long, upgraded", monthly(days: 300) { $0.isUpgraded = true }, isFound: true),
        Row("in the sandbox", monthly(days: -1), environment: .sandbox, isFound: false),
        Row("for another app", monthly(days: -1), bundle: "other", isFound: false),
    ]

    @Test("An implausible purchase date is a finding", arguments: rows)
    func found(row: Row) throws {
        let findings = Judge.acme.judgement(of: [.stored(.verified(row.receipt))], []).findings
            .filter { $0.kind == .implausibleDates }
        #expect(findings.count == (row.isFound ? 1 : 0))
        guard let finding = findings.first else { return }
        #expect(finding.receipt == "r1" && finding.reference == "r1")
        #expect(finding.severity == .medium && finding.direction == .none)
        #expect(finding.bundle == "acme")
        #expect(finding.transaction == nil && finding.appleState == AppleState.none)
    }

    @Test("An answer gives one finding, by the smallest transaction, whatever evidence is missing")
    func once() {
        let receipt = Receipt.showing(
            Self.monthly(days: -2) { $0.id = "8" }, Self.monthly(days: -1) { $0.id = "7" },
            requested: 0)
        for order in [receipt.transactions, receipt.transactions.reversed()] {
            var receipt = receipt
            receipt.transactions = order
            let findings = Judge.acme.judgement(
                of: [.stored(.verified(receipt)), unchecked], []
            ).findings.filter { $0.kind == .implausibleDates }
            #expect(findings.count == 1)
            #expect(findings.first?.explanation.contains("transaction 7 of pro.monthly") == true)
        }
    }
}

@Suite("An answer with a parse anomaly")
struct ParseAnomalyFindingTests {
    @Test("Each receipt with an anomaly gives one finding, in any environment and app")
    func found() throws {
        let anomalies = [ParseAnomaly(key: "product_id"), ParseAnomaly(key: "purchase_date")]
        for (bundle, environment) in [
            ("acme", StoreEnvironment.production), ("acme", .sandbox), ("other", .production),
        ] as [(BundleID, StoreEnvironment)] {
            let receipt = Receipt.showing(
                bundle: bundle, environment: environment, anomalies: anomalies)
            let findings = Judge.acme.judgement(of: [.stored(.verified(receipt))], []).findings
                .filter { $0.kind == .parseAnomaly }
            #expect(findings.count == 1)
            let finding = try #require(findings.first)
            #expect(finding.severity == .low && finding.direction == .none)
            #expect(finding.receipt == "r1" && finding.bundle == bundle)
            #expect(finding.environment == environment)
            #expect(finding.proposedAction == .investigate)
        }
        let clean = Judge.acme.judgement(of: [.stored(.verified(.showing()))], [])
        #expect(clean.findings.isEmpty)
    }
}
