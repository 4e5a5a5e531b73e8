import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a line and change its label, receipts, rows and the products found.
@Suite("A product that the catalogue does not have")
struct UnknownProductTests {
    struct UnknownCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let receipts: [ShownReceipt]
        let rows: [Row]
        let found: [UnknownProduct]

        init(
            _ label: String, receipts: [ShownReceipt], rows: [Row] = [], found: [UnknownProduct]
        ) {
            testDescription = label
            self.receipts = receipts
            self.rows = rows
            self.found = found
        }
    }

    @Test(
        "Users whose right-giving answers show an unknown product are counted, and so are rows",
        arguments: [
            UnknownCase(
                "three products outside the catalogue, shown or on rows",
                receipts: [
                    .answer(
                        .x(bought: -9), .y(bought: -9, until: 21, original: "2"), .x(bought: -8),
                        .future(bought: 1), .coins(bought: -8))
                ],
                rows: [
                    .x(source: .gift), .z(source: .gift), .x(source: .gift), .coins(source: .gift),
                ],
                found: [
                    UnknownProduct(product: "x", users: 1, rows: 2),
                    UnknownProduct(product: "y", users: 1, rows: 0),
                    UnknownProduct(product: "z", users: 0, rows: 1),
                ]),
            UnknownCase(
                "a subscription outside the catalogue",
                receipts: [.answer(.unlistedMonthly(bought: -10))],
                found: [UnknownProduct(product: "x.monthly", users: 1, rows: 0)]),
            UnknownCase(
                "a product whose kind a receipt says",
                receipts: [
                    .answer(.unlisted(bought: -400), signedKinds: ["theme": .nonConsumable])
                ], found: [UnknownProduct(product: "theme", users: 1, rows: 0)]),
            UnknownCase(
                "two products of one chain",
                receipts: [.answer(.x(bought: -40, until: -10), .y(bought: -10, until: 20))],
                found: [
                    UnknownProduct(product: "x", users: 1, rows: 0),
                    UnknownProduct(product: "y", users: 1, rows: 0),
                ]),
            UnknownCase(
                "a test purchase", receipts: [.answer(.x(bought: -9), environment: .sandbox)],
                found: []),
            UnknownCase(
                "a purchase in another app", receipts: [.answer(.x(bought: -9), saysApp: "other")],
                found: []),
        ])
    func counted(example: UnknownCase) {
        let judgement = Judge.acme.judgement(example.receipts, rows: example.rows)
        #expect(judgement.unknownProducts == example.found)
    }

    @Test("Counts of several users add up")
    func combined() {
        let seen = [
            UnknownProduct(product: "y", users: 1, rows: 2),
            UnknownProduct(product: "x", users: 0, rows: 1),
            UnknownProduct(product: "y", users: 1, rows: 0),
        ]
        let sums = [
            UnknownProduct(product: "x", users: 0, rows: 1),
            UnknownProduct(product: "y", users: 2, rows: 2),
        ]
        #expect(seen.combined == sums)
    }

    @Test("An unknown product is one finding without a user")
    func isFound() {
        let finding = UnknownProduct(product: "x", users: 1, rows: 2).finding
        ExpectedFinding(
            kind: .unknownProduct, severity: .medium, direction: .none, action: .investigate,
            user: nil, productApple: "x", reference: "x"
        ).check(finding)
        #expect(
            finding.explanation == """
                Apple shows the product x in the receipts of 1 user, and 2 stored entitlements \
                name it, but the view catalog_products does not have it: it is judged only where \
                Apple shows an expiry, or signed receipts name its kind.
                """)
    }
}

extension NamedProducts {
    fileprivate static var x: Builder { builder(of: "x", days: nil) }
    fileprivate static var y: Builder { builder(of: "y", days: nil) }
    fileprivate static var z: Builder { builder(of: "z", days: nil) }
    fileprivate static var future: Builder { builder(of: "future", days: nil) }
}
