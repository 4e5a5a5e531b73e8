import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with what verifyReceipt shows, what the App Store Server API shows of the
/// same customer, and the transactions of which they tell otherwise, in order.
@Suite("What two sources tell of one receipt")
struct SourcesDisagreeTests {
    struct Compared: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let receipt: ShownReceipt
        let differ: [TransactionID]

        init(_ label: String, _ receipt: ShownReceipt, differ: TransactionID...) {
            testDescription = label
            self.receipt = receipt
            self.differ = differ
        }
    }

    private static let second = 1.0 / 86_400

    private static let transactions = [
        Compared("the same", .answer(.pro(bought: -10)).also(.pro(bought: -10))),
        Compared(
            "another product", .answer(.pro(bought: -10)).also(.yearly(bought: -10)), differ: "1"),
        Compared(
            "a second's difference of the purchase",
            .answer(.pro(bought: -10, until: 20)).also(.pro(bought: -10 + second, until: 20))),
        Compared(
            "more than a second's difference of the purchase",
            .answer(.pro(bought: -10, until: 20)).also(.pro(bought: -10 + 2 * second, until: 20)),
            differ: "1"),
        Compared(
            "a second's difference of the expiry",
            .answer(.pro(bought: -10, until: 20)).also(.pro(bought: -10, until: 20 - second))),
        Compared(
            "more than a second's difference of the expiry",
            .answer(.pro(bought: -10, until: 20)).also(.pro(bought: -10, until: 20 - 2 * second)),
            differ: "1"),
        Compared(
            "an expiry that only verifyReceipt tells",
            .answer(.pro(bought: -10)).also(.pro(bought: -10, lacksEnd: true, original: "1")),
            differ: "1"),
        Compared(
            "an expiry that only the API tells",
            .answer(.pro(bought: -10, lacksEnd: true, original: "1")).also(.pro(bought: -10)),
            differ: "1"),
        Compared(
            "cancelled by verifyReceipt only",
            .answer(.pro(bought: -10, cancelled: -2)).also(.pro(bought: -10)), differ: "1"),
        Compared(
            "cancelled by the API only",
            .answer(.pro(bought: -10)).also(.pro(bought: -10, cancelled: -2)), differ: "1"),
        Compared(
            "cancelled by both, at other times",
            .answer(.pro(bought: -10, cancelled: -2)).also(.pro(bought: -10, cancelled: -3))),
        Compared(
            "cancelled by the API after the judgement",
            .answer(.pro(bought: -10)).also(.pro(bought: -10, cancelled: 0.1))),
        Compared(
            "bought after the judgement",
            .answer(.pro(bought: 0.1)).also(.pro(bought: 0.2))),
    ]

    private static let found = [
        Compared(
            "missing with the API",
            .answer(.pro(bought: -10), .pro(bought: -40)).also(
                .pro(bought: -10)), differ: "2"),
        Compared(
            "more with the API",
            .answer(.pro(bought: -10)).also(.pro(bought: -10), .pro(bought: -40))),
        Compared(
            "a consumable that is used up", .answer(.coins(bought: -10, id: "7")).also()),
        Compared(
            "a consumable of another date",
            .answer(.coins(bought: -10, id: "7")).also(.coins(bought: -11, id: "7")), differ: "7"),
        Compared(
            "another id of the same line item",
            .answer(.pro(bought: -10, id: "5", original: "1", lineItem: "900"))
                .also(.pro(bought: -10, id: "6", original: "1", lineItem: "900"))),
        Compared(
            "another id, and another line item",
            .answer(.pro(bought: -10, id: "5", original: "1", lineItem: "900"))
                .also(.pro(bought: -10, id: "6", original: "1", lineItem: "901")), differ: "5"),
        Compared(
            "another id and product of the same line item",
            .answer(.pro(bought: -10, id: "5", original: "1", lineItem: "900"))
                .also(.yearly(bought: -10, id: "6", original: "1", lineItem: "900")), differ: "5"),
        Compared(
            "a restore of a product that is bought once, at another time",
            .answer(.unlock(bought: -10, id: "8", original: "7"))
                .also(.unlock(bought: -90, id: "7"))),
        Compared(
            "a restore that is of another product with the API",
            .answer(.unlock(bought: -10, id: "8", original: "7"))
                .also(.full(bought: -90, id: "7")), differ: "8"),
        Compared(
            "a restore that is refunded with the API",
            .answer(.unlock(bought: -10, id: "8", original: "7"))
                .also(.unlock(bought: -90, id: "7", cancelled: -2)), differ: "8"),
        Compared(
            "a product that is bought once, missing with the API",
            .answer(.unlock(bought: -10, id: "7")).also(), differ: "7"),
    ]

    private static let chains = [
        Compared(
            "a chain that renews by verifyReceipt only",
            .answer(.pro(bought: -10, id: "5", original: "1"), .renewal(.on))
                .also(.pro(bought: -10, id: "5", original: "1"), .renewal(.off)), differ: "1"),
        Compared(
            "a chain that renews by both",
            .answer(.pro(bought: -10), .renewal(.on)).also(.pro(bought: -10), .renewal(.on))),
        Compared(
            "a chain whose plan only one source tells",
            .answer(.pro(bought: -10), .renewal(.on)).also(.pro(bought: -10))),
        Compared(
            "other facts of a renewal",
            .answer(.pro(bought: -10), .renewal(.on))
                .also(.pro(bought: -10), .renewal(.on, .retry))),
    ]

    private func differing(_ receipt: ShownReceipt) throws -> Finding? {
        Judge.acme.judgement([receipt]).findings.first { $0.kind == .sourcesDisagree }
    }

    @Test(
        "They disagree where a transaction or a chain's plan differs as of the judgement",
        arguments: transactions + found + chains)
    func disagree(row: Compared) throws {
        let finding = try differing(row.receipt)
        #expect((finding != nil) == !row.differ.isEmpty)
        guard let finding, let first = row.differ.first else { return }
        #expect(finding.explanation.contains("tell otherwise of transaction \(first)."))
    }

    @Test("The finding is the receipt's, names the smallest id as a number, and how many differ")
    func named() throws {
        let finding = try #require(
            try differing(
                .answer(
                    .pro(bought: -10, id: "100", original: "1"),
                    .pro(bought: -40, id: "20", original: "1"),
                    .pro(bought: -70, id: "9", original: "1")
                ).also(.pro(bought: -70, id: "9", original: "1"))))
        #expect(
            finding.explanation == """
                verifyReceipt's answer to receipt r1, stored \(Instant.day(-5)) for acme, and the \
                App Store Server API's about its customer tell otherwise of transaction 20, one of \
                2 that differ.
                """)
        ExpectedFinding(
            kind: .sourcesDisagree, severity: .medium, direction: .none, action: .investigate,
            receipt: "r1", environment: .production, bundle: "acme", reference: "r1"
        ).check(finding)
        #expect(finding.source == .serverAPI)
    }

    @Test("Each receipt has its own, and one that only one source verified has none")
    func perReceipt() {
        let other = ShownReceipt.answer(.pro(bought: -10)).also(.pro(bought: -11))
        var unverified = other
        unverified.reply = .none(.unverified(.timeout))
        let both = Judge.acme.judgement([other, other]).findings
        #expect(both.filter { $0.kind == .sourcesDisagree }.map(\.receipt) == ["r1", "r2"])
        for receipt in [unverified, .answer(.pro(bought: -10)), .customer(.pro(bought: -10))] {
            let found = Judge.acme.judgement([receipt]).kinds
            #expect(!found.contains(.sourcesDisagree))
        }
    }

    @Test("A transaction that the API's answer sets aside is no difference")
    func setAside() throws {
        let line = ShownLine.pro(bought: -10).signed(SignedFact("purchaseDate", #""soon""#))
        let receipt = ShownReceipt.answer(.pro(bought: -10)).also(line)
        #expect(try differing(receipt) == nil)
    }

    @Test("Several customers of one receipt are compared together")
    func customers() throws {
        let receipt = ShownReceipt.answer(
            .unlock(bought: -10, id: "7"), .full(bought: -10, id: "8"))
        let one = receipt.also(.unlock(bought: -10, id: "7"))
        #expect(try differing(one)?.explanation.contains("transaction 8.") == true)
        #expect(try differing(one.also(.full(bought: -10, id: "8"))) == nil)
    }
}
