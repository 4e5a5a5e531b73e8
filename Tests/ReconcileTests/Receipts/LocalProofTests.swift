import Testing

@testable import Reconcile
@testable import TestSupport

extension TrustedRoots {
    static let testing = TrustedRoots([ReceiptAuthority.shared.root.der])
}

@Suite("Contradictions between a signed receipt and Apple's answer", .hangLimit)
struct LocalProofTests {
    private typealias Forge = PayloadForge
    private static let bought = Instant(milliseconds: 1_714_521_600_000)
    private static let second = Instant(milliseconds: 1_714_521_601_000)
    private static let elsewhere = answer(bundle: "acme.other")

    private func facts(
        _ purchases: [UInt8]..., by authority: ReceiptAuthority = .shared, of bytes: [UInt8]? = nil,
        in answer: Validation = answer()
    ) -> SignedFacts {
        let bytes = bytes ?? Forge(purchases: purchases).signed(by: authority)
        return LocalProof(AppleSignature(.testing), catalogued: Set(Catalog.acme.products.keys))
            .facts(of: SendableReceipt(encoding: bytes), with: answer)
    }

    private static func answer(
        bundle: BundleID = "acme", also others: Transaction...,
        change: (inout Transaction) -> Void = { _ in }
    ) -> Validation {
        var first = Transaction.once("1001", "pro.monthly", bought: 0)
        first.purchasedAt = bought
        change(&first)
        let lines = [first] + others
        return .verified(Receipt(bundle: bundle, environment: .production, transactions: lines))
    }

    @Test("Later renewals, refunds, purchases and upgrades, and milliseconds, contradict nothing")
    func agrees() {
        let refunded = Self.answer(also: .once("1002", "pro.yearly", bought: 0)) {
            $0.cancelledAt = .asOf
            $0.purchasedAt = Instant(milliseconds: Self.bought.milliseconds + 999)
        }
        let later = facts(Forge.purchase(), Forge.purchase("gems", id: "7"), in: refunded)
        #expect(later.contradictions.isEmpty)
        let replaced = Forge.purchase(cancelled: "2024-05-03T00:00:00Z")
        let upgraded = facts(replaced, in: Self.answer { $0.isUpgraded = true })
        #expect(upgraded.contradictions.isEmpty)
    }

    @Test("App, product, purchase date and cancellation are compared, if Apple signed the receipt")
    func contradicts() throws {
        let moved = Forge.purchase("pro.yearly", at: Self.second.description)
        let refunded = Forge.purchase(cancelled: Self.second.description)
        let found = facts(moved, refunded, in: Self.elsewhere).contradictions
        let expected: [Contradiction] = [
            .bundle(signed: "acme"),
            .product(of: "1001", signed: "pro.yearly", answered: "pro.monthly"),
            .purchaseDate(of: "1001", signed: Self.second, answered: Self.bought),
            .cancellation(of: "1001", signed: Self.second),
        ]
        #expect(found == expected)
        #expect(facts(moved, by: .other, in: Self.elsewhere) == SignedFacts())
        // An unsigned receipt, and one of iOS 6.
        for bytes in [ReceiptForge.receipt(Forge().encoded), Array("{}".utf8)] {
            #expect(facts(of: bytes, in: Self.elsewhere) == SignedFacts())
        }
    }

    @Test("A known signer is recognised, and its validity and signature are still checked")
    func remembered() throws {
        let middle = ReceiptAuthority.shared.middle
        let known = TestCertificate(
            "Signer", serial: 7, by: middle, days: ("240101", "241231"), isMarked: true)
        let apple = AppleSignature(.testing)
        func receipt(madeAt day: String) -> [UInt8] {
            SignedForm().container(
                of: Forge(createdAt: day).encoded, signedBy: [known], [known, middle])
        }
        for (day, isTrusted) in [
            ("2023-12-31T23:59:59Z", false), ("2024-06-01T00:00:00Z", true),
            ("2024-06-01T00:00:00Z", true), ("2025-01-01T00:00:00Z", false),
        ] {
            let signed = try #require(SignedReceipt(receipt(madeAt: day)))
            #expect(apple.isOn(signed) == isTrusted, "\(day)")
        }
        var bytes = receipt(madeAt: "2024-06-01T00:00:00Z")
        bytes[bytes.count - 1] ^= 1
        #expect(!apple.isOn(try #require(SignedReceipt(bytes))))
    }

    private func bought(_ product: String, _ kind: UInt8, id: String = "7") -> [UInt8] {
        Forge.purchase(product, id: id, expires: "", kind: kind)
    }

    @Test("Attribute 1707 decides the kind of a product that is not in the catalogue")
    func kinds() {
        let all = facts(bought("map", 0), bought("gems", 1), bought("summer", 2, id: "8"))
        #expect(all.kinds == ["map": .nonConsumable, "gems": .consumable, "summer": .nonRenewing])
        // It decides nothing for products of the catalogue, subscriptions and unknown kinds.
        for (product, kind) in [("unlock", 1), ("news", 3), ("map", 9)] as [(String, UInt8)] {
            #expect(facts(bought(product, kind)).kinds.isEmpty)
        }
        // Nor does a receipt that is not signed or not verified, or contradicts itself.
        #expect(facts(bought("map", 0), by: .other).kinds.isEmpty)
        #expect(facts(bought("map", 0), in: .unverified(.timeout)).kinds.isEmpty)
        for other: UInt8 in [1, 3, 9] {
            #expect(facts(bought("map", 0), bought("map", other, id: "8")).kinds.isEmpty)
        }
    }

    @Test("A row is judged by its product's kind only if no receipt shows another kind")
    func undecided() {
        for kinds: [ProductKind] in [[.consumable], [.nonRenewing], [.nonConsumable, .consumable]] {
            let receipts = kinds.map { kind in
                let map = Receipt.showing(.once("1", "map", bought: -50))
                return ReceiptEvidence.stored(
                    ReceiptID("\(kind)"), .verified(map), kinds: ["map": kind])
            }
            let row = StoredEntitlement(
                id: "e1", user: "u", product: "map", isActive: true, updatedAt: .day(-10))
            #expect(Judge.acme.judgement(of: receipts, [row]).verdict(on: "e1") == .notJudged)
        }
    }
}

/// To add a case: a row with the purchase that the receipt signs, and how the answer, which shows
/// one month, contradicts it.
@Suite("Apple's signature on an answer", .hangLimit)
struct AnswerSignatureTests {
    /// A second before the request_date of `AppleAnswer`.
    private static let now = "2026-11-20T01:59:59Z"

    /// On an answer with a period, whose `latest_receipt` is signed with these purchases.
    private func signature(
        on purchases: [UInt8]..., at madeAt: String = now,
        by authority: ReceiptAuthority = .shared, text: String? = nil, refunded: Double? = nil
    ) throws -> AnswerSignature {
        let payload = PayloadForge(createdAt: madeAt, purchases: purchases)
        let latest = text ?? base64(payload.signed(by: authority))
        let period = AppleAnswer.period("1", from: -25, to: 5, cancelled: refunded)
        let body = Array(AppleAnswer.subscribed([period], latest: latest).utf8)
        let answer = try #require(try VerifyReceiptAnswer.read(body, from: .production).receipt)
        let check = AnswerSignatureCheck(AppleSignature(.testing))
        return try #require(check.signature(on: body, sayingThat: answer))
    }

    private static func purchase(
        _ product: String = "pro.monthly", id: String = "1", expires: Double = 5,
        cancelled: Double? = nil
    ) -> [UInt8] {
        func text(_ day: Double) -> String { Instant.day(day).description }
        return PayloadForge.purchase(
            product, id: id, at: text(-25), expires: text(expires),
            cancelled: cancelled.map(text) ?? "")
    }

    @Test("A signature by Apple confirms an answer with the same facts; any other is ignored")
    func proven() throws {
        let proven = try signature(on: Self.purchase(), Self.purchase("old", id: "0"))
        #expect(proven.isSigned)
        #expect(proven.contradictions.isEmpty)
        #expect(proven.fresh?.madeAt == Instant(rfc3339: Self.now))
        for body in [AppleAnswer.verified(), AppleAnswer.subscribed([], latest: "")] {
            #expect(LatestReceipt(in: Array(body.utf8)) == nil)
        }
        #expect(try signature(on: Self.purchase(), by: .other) == AnswerSignature())
        for text in ["TUlJQg==", "not base64!", "e30="] {
            #expect(try signature(text: text) == AnswerSignature())
        }
    }

    @Test(
        "A difference that no later event explains is a contradiction",
        arguments: [
            (purchase(expires: 370), .expiry(of: "1", signed: .day(370), answered: .day(5))),
            (purchase("gems"), .product(of: "1", signed: "gems", answered: "pro.monthly")),
            (purchase(id: "2"), .notSigned("1")),
            (purchase(cancelled: -19), .cancellation(of: "1", signed: .day(-19))),
            // Signed text may be invalid for the database, so control characters are escaped.
            (purchase("a\u{0}é"), .product(of: "1", signed: "a??", answered: "pro.monthly")),
        ] as [(purchase: [UInt8], found: Contradiction)])
    func contradictions(purchase: [UInt8], found: Contradiction) throws {
        let signature = try signature(on: purchase)
        #expect(!signature.isSigned)
        #expect(signature.contradictions == [found])
    }

    @Test("A refund contradicts a receipt signed with the answer, and an older one proves nothing")
    func refunded() throws {
        let fresh = try signature(on: Self.purchase(), refunded: -5)
        #expect(fresh.contradictions == [.noCancellation(of: "1", answered: .day(-5))])
        let before = "2026-11-01T00:00:00Z"
        let old = try signature(on: Self.purchase(), at: before, refunded: -5)
        #expect(old == AnswerSignature())
        let moved = try signature(on: Self.purchase("gems"), at: before, refunded: -5)
        let product = Contradiction.product(of: "1", signed: "gems", answered: "pro.monthly")
        #expect(moved.contradictions == [product])
        #expect(moved.fresh == nil)
    }
}
