import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Contradictions between a signed receipt and Apple's answer", .timeLimit(.minutes(10)))
struct LocalProofTests {
    private static let bought = "2024-05-01T00:00:00Z"
    private static let opinion = LocalProof(
        TrustedRoots([ReceiptAuthority.shared.root.der]), catalogued: nil)

    private static func instant(_ text: String) throws -> Instant {
        try #require(Instant(rfc3339: text))
    }

    private static func answer(
        _ change: (inout Receipt) -> Void = { _ in }
    ) throws -> Receipt {
        let transaction = Transaction(
            id: "1001", originalID: "1001", product: "pro.monthly",
            purchasedAt: try instant(bought))
        var answer = Receipt(
            bundle: "acme", environment: .production, transactions: [transaction])
        change(&answer)
        return answer
    }

    private static func contradictions(
        of receipt: SendableReceipt, with answer: Receipt
    ) -> [Contradiction] {
        opinion.facts(of: receipt, with: .verified(answer)).contradictions
    }

    private static func sendable(
        _ purchases: [UInt8]..., by authority: ReceiptAuthority = .shared
    ) -> SendableReceipt {
        let bytes = authority.receipt(PayloadForge(purchases: purchases).encoded)
        return SendableReceipt(encoding: bytes)
    }

    @Test("Later renewals, refunds and purchases, and milliseconds, contradict nothing")
    func agrees() throws {
        let answer = try Self.answer { answer in
            answer.transactions[0].cancelledAt = Instant(milliseconds: 1_720_000_000_000)
            answer.transactions[0].purchasedAt = Instant(milliseconds: 1_714_521_600_999)
            answer.transactions.append(
                Transaction(
                    id: "1002", originalID: "1001", product: "pro.yearly",
                    purchasedAt: Instant(milliseconds: 1_720_000_000_000)))
        }
        let receipt = Self.sendable(
            PayloadForge.purchase(), PayloadForge.purchase("gems", id: "7"))
        #expect(Self.contradictions(of: receipt, with: answer).isEmpty)
    }

    @Test("The cancellation of an upgraded transaction contradicts nothing")
    func upgraded() throws {
        let receipt = Self.sendable(PayloadForge.purchase(cancelled: "2024-05-03T00:00:00Z"))
        let answer = try Self.answer { $0.transactions[0].isUpgraded = true }
        #expect(Self.contradictions(of: receipt, with: answer).isEmpty)
    }

    @Test("App, product, purchase date and cancellation are compared")
    func contradicts() throws {
        let answer = try Self.answer { $0.bundle = "acme.other" }
        let receipt = Self.sendable(
            PayloadForge.purchase("pro.yearly", at: "2024-05-01T00:00:01Z"),
            PayloadForge.purchase(cancelled: "2024-05-03T00:00:00Z"))
        #expect(
            Self.contradictions(of: receipt, with: answer) == [
                .bundle(signed: "acme"),
                .product(of: "1001", signed: "pro.yearly", answered: "pro.monthly"),
                .purchaseDate(
                    of: "1001", signed: try Self.instant("2024-05-01T00:00:01Z"),
                    answered: try Self.instant(Self.bought)),
                .cancellation(of: "1001", signed: try Self.instant("2024-05-03T00:00:00Z")),
            ])
    }

    @Test("A receipt that Apple did not sign, and one of iOS 6, contradict nothing")
    func notApples() throws {
        let answer = try Self.answer { $0.bundle = "acme.other" }
        let foreign = Self.sendable(PayloadForge.purchase(), by: .other)
        #expect(Self.contradictions(of: foreign, with: answer).isEmpty)
        let unsigned = SendableReceipt(encoding: ReceiptForge.receipt(PayloadForge().encoded))
        #expect(Self.contradictions(of: unsigned, with: answer).isEmpty)
        let list = SendableReceipt(encoding: Array("{}".utf8))
        #expect(Self.contradictions(of: list, with: answer).isEmpty)
    }

    @Test("A known signer is recognised, and its validity is still checked for the date")
    func remembered() throws {
        let apple = ReceiptAuthority.shared
        let signer = TestCertificate(
            "Signer", serial: 7, key: SigningKey(), by: apple.middle, days: ("240101", "241231"),
            isMarked: true)
        let trust = SignerTrust(TrustedRoots([apple.root.der]))
        func isTrusted(_ payload: PayloadForge, at text: String) throws -> Bool {
            let bytes = SignedForm().container(
                of: payload.encoded, signedBy: [signer], [signer, apple.middle])
            return trust.isApples(try SignedData(bytes), signedAt: try Self.instant(text))
        }
        let payload = PayloadForge()
        #expect(try isTrusted(payload, at: "2023-12-31T23:59:59Z") == false)
        for _ in 0..<2 { #expect(try isTrusted(payload, at: "2024-06-01T00:00:00Z")) }
        #expect(try isTrusted(payload, at: "2025-01-01T00:00:00Z") == false)
        // The certificate chain is cached, and the signature is still checked.
        var bytes = SignedForm().container(
            of: payload.encoded, signedBy: [signer], [signer, apple.middle])
        bytes[bytes.count - 1] ^= 1
        let forged = try SignedData(bytes)
        #expect(!trust.isApples(forged, signedAt: try Self.instant("2024-06-01T00:00:00Z")))
    }

    @Test("A contradiction goes from a verified answer into the receipt's report")
    func goesWithTheAnswer() async throws {
        let apple = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
        var settings = ValidationSettings()
        settings.productionURL = apple.production.url
        let validator = try AppStoreValidator(
            settings, secrets: SharedSecrets(parsing: "* = canary"),
            roots: TrustedRoots([ReceiptAuthority.shared.root.der]), now: { .asOf })
        let bytes = ReceiptAuthority.shared.receipt(PayloadForge(bundle: "acme.other").encoded)
        let text = String(decoding: Base64.encode(bytes), as: UTF8.self)
        let report = try await validator.report(on: text)
        #expect(report.contradictions == [.bundle(signed: "acme.other")])
    }
}
