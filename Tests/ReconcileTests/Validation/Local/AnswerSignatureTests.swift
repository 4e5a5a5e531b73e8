import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Apple's signature on an answer", .timeLimit(.minutes(10)))
struct AnswerSignatureTests {
    private static let check = AnswerSignatureCheck(
        TrustedRoots([ReceiptAuthority.shared.root.der]))
    /// A second before the request_date of `AppleAnswer`.
    private static let now = "2026-11-20T01:59:59Z"

    /// An answer with one period of each id, and the receipt that is signed with it.
    private static func signature(
        of periods: [String], signing purchases: [[UInt8]], at madeAt: String = now,
        by authority: ReceiptAuthority = .shared, text: String? = nil
    ) throws -> AnswerSignature? {
        let bytes = authority.receipt(
            PayloadForge(createdAt: madeAt, purchases: purchases).encoded)
        let latest = text ?? String(decoding: Base64.encode(bytes), as: UTF8.self)
        let body = Array(AppleAnswer.subscribed(periods, latest: latest).utf8)
        let answer = try #require(try VerifyReceiptAnswer.read(body, from: .production).receipt)
        return check.signature(on: body, sayingThat: answer)
    }

    private static let period = AppleAnswer.period("1", from: -25, to: 5)

    private static func purchase(
        _ product: String = "pro.monthly", id: String = "1", at: String = "2026-10-26T02:00:00Z",
        expires: String = "2026-11-25T02:00:00Z", cancelled: String = ""
    ) -> [UInt8] {
        PayloadForge.purchase(product, id: id, at: at, expires: expires, cancelled: cancelled)
    }

    @Test(
        "The signature confirms an answer with the same facts, and other signed facts are ignored")
    func proven() throws {
        let signature = try Self.signature(
            of: [Self.period], signing: [Self.purchase(), Self.purchase("old", id: "0")])
        #expect(signature?.isSigned == true)
        #expect(signature?.contradictions == [])
        #expect(signature?.fresh?.madeAt == Instant(rfc3339: Self.now))
    }

    @Test("Without latest_receipt, or with an empty one, the answer has no signature")
    func none() throws {
        let plain = Array(AppleAnswer.verified([Self.period]).utf8)
        #expect(LatestReceipt(in: plain) == nil)
        #expect(LatestReceipt(in: Array(AppleAnswer.subscribed([], latest: "").utf8)) == nil)
    }

    @Test(
        "A foreign signer, a changed byte and other data are not Apple's signature",
        arguments: ["TUlJQg==", "not base64!", "e30="])
    func notApples(text: String) throws {
        let other = try Self.signature(
            of: [Self.period], signing: [Self.purchase()], by: .other)
        #expect(other == AnswerSignature())
        let scrap = try Self.signature(of: [Self.period], signing: [], text: text)
        #expect(scrap == AnswerSignature())
    }

    @Test("A difference that no later event explains is a contradiction")
    func contradictions() throws {
        func found(_ purchase: [UInt8]) throws -> [Contradiction] {
            let signature = try #require(
                try Self.signature(of: [Self.period], signing: [purchase]))
            #expect(!signature.isSigned)
            return signature.contradictions
        }
        let expiry = try #require(Instant(rfc3339: "2026-11-25T02:00:00Z"))
        let other = try #require(Instant(rfc3339: "2027-11-25T02:00:00Z"))
        #expect(
            try found(Self.purchase(expires: "2027-11-25T02:00:00Z"))
                == [.expiry(of: "1", signed: other, answered: expiry)])
        #expect(
            try found(Self.purchase("gems"))
                == [.product(of: "1", signed: "gems", answered: "pro.monthly")])
        #expect(try found(Self.purchase(id: "2")) == [.notSigned("1")])
        let cancelledAt = try #require(Instant(rfc3339: "2026-11-01T00:00:00Z"))
        #expect(
            try found(Self.purchase(cancelled: "2026-11-01T00:00:00Z"))
                == [.cancellation(of: "1", signed: cancelledAt)])
        // Signed text may be invalid for the database, so control characters are escaped.
        #expect(
            try found(Self.purchase("a\u{0}é"))
                == [.product(of: "1", signed: "a??", answered: "pro.monthly")])
    }

    @Test("A refund in the answer that the signed receipt lacks is a contradiction")
    func refundNotSigned() throws {
        let refunded = AppleAnswer.period("1", from: -25, to: 5, cancelled: -5)
        let signature = try Self.signature(of: [refunded], signing: [Self.purchase()])
        let cancelledAt = try #require(Instant(rfc3339: "2026-11-15T02:00:00Z"))
        #expect(
            signature?.contradictions == [.noCancellation(of: "1", answered: cancelledAt)])
    }

    @Test("A signature of another time proves nothing, and events in between contradict nothing")
    func stale() throws {
        let refunded = AppleAnswer.period("1", from: -25, to: 5, cancelled: -5)
        let signature = try Self.signature(
            of: [refunded], signing: [Self.purchase()], at: "2026-11-01T00:00:00Z")
        #expect(signature == AnswerSignature())
        // The app, the product and the purchase date cannot change.
        let moved = try Self.signature(
            of: [refunded], signing: [Self.purchase("gems")], at: "2026-11-01T00:00:00Z")
        #expect(
            moved?.contradictions
                == [.product(of: "1", signed: "gems", answered: "pro.monthly")])
        #expect(moved?.fresh == nil)
    }
}
