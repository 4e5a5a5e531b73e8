import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Contradictions between a signed receipt and Apple's answer", .timeLimit(.minutes(10)))
struct LocalProofTests {
    private static let bought = Instant(milliseconds: 1_714_521_600_000)
    private static let second = Instant(milliseconds: 1_714_521_601_000)
    private static let later = Instant(milliseconds: 1_720_000_000_000)

    private static func facts(
        _ purchases: [UInt8]..., by authority: ReceiptAuthority = .shared,
        in validation: Validation = .verified(Receipt(bundle: "acme", environment: .production))
    ) -> SignedFacts {
        let bytes = authority.receipt(PayloadForge(purchases: purchases).encoded)
        return facts(of: bytes, in: validation)
    }

    private static func facts(of bytes: [UInt8], in validation: Validation) -> SignedFacts {
        LocalProof(
            InspectionQuestion.testing.roots, catalogued: Set(Catalog.acme.products.keys)
        ).facts(of: SendableReceipt(encoding: bytes), with: validation)
    }

    private static func answer(
        bundle: BundleID = "acme", _ change: (inout Transaction) -> Void = { _ in },
        also others: Transaction...
    ) -> Validation {
        var transaction = Transaction(
            id: "1001", originalID: "1001", product: "pro.monthly", purchasedAt: bought)
        change(&transaction)
        return .verified(
            Receipt(bundle: bundle, environment: .production, transactions: [transaction] + others))
    }

    @Test("Later renewals, refunds, purchases and upgrades, and milliseconds, contradict nothing")
    func agrees() {
        let renewal = Transaction(
            id: "1002", originalID: "1001", product: "pro.yearly", purchasedAt: Self.later)
        let refunded = Self.answer(
            {
                $0.cancelledAt = Self.later
                $0.purchasedAt = Instant(milliseconds: Self.bought.milliseconds + 999)
            }, also: renewal)
        let facts = Self.facts(
            PayloadForge.purchase(), PayloadForge.purchase("gems", id: "7"), in: refunded)
        #expect(facts.contradictions.isEmpty)
        let upgraded = Self.facts(
            PayloadForge.purchase(cancelled: "2024-05-03T00:00:00Z"),
            in: Self.answer { $0.isUpgraded = true })
        #expect(upgraded.contradictions.isEmpty)
    }

    @Test("App, product, purchase date and cancellation are compared, if Apple signed the receipt")
    func contradicts() throws {
        let other = Self.answer(bundle: "acme.other")
        let facts = Self.facts(
            PayloadForge.purchase("pro.yearly", at: Self.second.description),
            PayloadForge.purchase(cancelled: Self.second.description), in: other)
        #expect(
            facts.contradictions == [
                .bundle(signed: "acme"),
                .product(of: "1001", signed: "pro.yearly", answered: "pro.monthly"),
                .purchaseDate(of: "1001", signed: Self.second, answered: Self.bought),
                .cancellation(of: "1001", signed: Self.second),
            ])
        let foreign = Self.facts(PayloadForge.purchase(), by: .other, in: other)
        #expect(foreign == SignedFacts())
        // An unsigned receipt, and one of iOS 6.
        for bytes in [ReceiptForge.receipt(PayloadForge().encoded), Array("{}".utf8)] {
            #expect(Self.facts(of: bytes, in: other) == SignedFacts())
        }
    }

    @Test("A known signer is recognised, and its validity and signature are still checked")
    func remembered() throws {
        let apple = ReceiptAuthority.shared
        let signer = TestCertificate(
            "Signer", serial: 7, key: SigningKey(), by: apple.middle, days: ("240101", "241231"),
            isMarked: true)
        let trust = SignerTrust(TrustedRoots([apple.root.der]))
        var bytes = SignedForm().container(
            of: PayloadForge().encoded, signedBy: [signer], [signer, apple.middle])
        func isTrusted(at text: String) throws -> Bool {
            trust.isApples(try SignedData(bytes), signedAt: try #require(Instant(rfc3339: text)))
        }
        #expect(try !isTrusted(at: "2023-12-31T23:59:59Z"))
        for _ in 0..<2 { #expect(try isTrusted(at: "2024-06-01T00:00:00Z")) }
        #expect(try !isTrusted(at: "2025-01-01T00:00:00Z"))
        bytes[bytes.count - 1] ^= 1
        #expect(try !isTrusted(at: "2024-06-01T00:00:00Z"))
    }

    private static func bought(_ product: String, _ kind: UInt8, id: String = "7") -> [UInt8] {
        PayloadForge.purchase(product, id: id, expires: "", kind: kind)
    }

    @Test("Attribute 1707 decides the kind of a product that is not in the catalogue")
    func kinds() {
        let all = Self.facts(
            Self.bought("map", 0), Self.bought("gems", 1), Self.bought("summer", 2, id: "8"))
        #expect(all.kinds == ["map": .nonConsumable, "gems": .consumable, "summer": .nonRenewing])
        // It decides nothing for products of the catalogue, subscriptions and unknown kinds.
        for (product, kind) in [("unlock", 1), ("news", 3), ("map", 9)] as [(String, UInt8)] {
            #expect(Self.facts(Self.bought(product, kind)).kinds.isEmpty)
        }
        // Nor does a receipt that is not signed or not verified, or contradicts itself.
        #expect(Self.facts(Self.bought("map", 0), by: .other).kinds.isEmpty)
        #expect(Self.facts(Self.bought("map", 0), in: .unverified(.timeout)).kinds.isEmpty)
        for other: UInt8 in [1, 3, 9] {
            let facts = Self.facts(Self.bought("map", 0), Self.bought("map", other, id: "8"))
            #expect(facts.kinds.isEmpty)
        }
    }

    @Test(
        "A row is judged by its product's kind only if no receipt says another",
        arguments: [[.consumable], [.nonRenewing], [.nonConsumable, .consumable]]
            as [[ProductKind]])
    func undecided(kinds: [ProductKind]) {
        let receipts = kinds.enumerated().map { number, kind in
            var receipt = ReceiptEvidence.stored(
                ReceiptID("r\(number)"), .verified(.showing(.once("1", "map", bought: -50))))
            receipt.signedKinds = ["map": kind]
            return receipt
        }
        let judgement = Judge.acme.judgement(of: receipts, [.row("e1", "map")])
        #expect(judgement.bucket == "not_judged")
    }
}

@Suite("Apple's signature on an answer", .timeLimit(.minutes(10)))
struct AnswerSignatureTests {
    /// A second before the request_date of `AppleAnswer`.
    private static let now = "2026-11-20T01:59:59Z"

    /// An answer with a period, and the receipt that is signed with it.
    private static func signature(
        signing purchases: [UInt8]..., at madeAt: String = now,
        by authority: ReceiptAuthority = .shared, text: String? = nil, refunded: Double? = nil
    ) throws -> AnswerSignature {
        let bytes = authority.receipt(PayloadForge(createdAt: madeAt, purchases: purchases).encoded)
        let latest = text ?? String(decoding: Base64.encode(bytes), as: UTF8.self)
        let period = AppleAnswer.period("1", from: -25, to: 5, cancelled: refunded)
        let body = Array(AppleAnswer.subscribed([period], latest: latest).utf8)
        let answer = try #require(try VerifyReceiptAnswer.read(body, from: .production).receipt)
        return try #require(
            AnswerSignatureCheck(InspectionQuestion.testing.roots)
                .signature(on: body, sayingThat: answer))
    }

    private static func purchase(
        _ product: String = "pro.monthly", id: String = "1", expires: Double = 5,
        cancelled: Double? = nil
    ) -> [UInt8] {
        PayloadForge.purchase(
            product, id: id, at: Instant.day(-25).description,
            expires: Instant.day(expires).description,
            cancelled: cancelled.map { Instant.day($0).description } ?? "")
    }

    @Test(
        "The signature confirms an answer with the same facts, and other signed facts are ignored")
    func proven() throws {
        let signature = try Self.signature(
            signing: Self.purchase(), Self.purchase("old", id: "0"))
        #expect(signature.isSigned)
        #expect(signature.contradictions == [])
        #expect(signature.fresh?.madeAt == Instant(rfc3339: Self.now))
    }

    @Test("Nothing, a foreign signer and other data are not Apple's signature")
    func notApples() throws {
        #expect(LatestReceipt(in: Array(AppleAnswer.verified().utf8)) == nil)
        #expect(LatestReceipt(in: Array(AppleAnswer.subscribed([], latest: "").utf8)) == nil)
        let other = try Self.signature(signing: Self.purchase(), by: .other)
        #expect(other == AnswerSignature())
        for text in ["TUlJQg==", "not base64!", "e30="] {
            #expect(try Self.signature(text: text) == AnswerSignature())
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
        ] as [([UInt8], Contradiction)])
    func contradictions(purchase: [UInt8], found: Contradiction) throws {
        let signature = try Self.signature(signing: purchase)
        #expect(!signature.isSigned)
        #expect(signature.contradictions == [found])
    }

    @Test(
        "A refund contradicts a receipt signed with the answer, and proves nothing on an older one")
    func refunded() throws {
        let fresh = try Self.signature(signing: Self.purchase(), refunded: -5)
        #expect(fresh.contradictions == [.noCancellation(of: "1", answered: .day(-5))])
        let before = "2026-11-01T00:00:00Z"
        let old = try Self.signature(signing: Self.purchase(), at: before, refunded: -5)
        #expect(old == AnswerSignature())
        // The app, the product and the purchase date cannot change.
        let moved = try Self.signature(signing: Self.purchase("gems"), at: before, refunded: -5)
        let product = Contradiction.product(of: "1", signed: "gems", answered: "pro.monthly")
        #expect(moved.contradictions == [product])
        #expect(moved.fresh == nil)
    }
}
