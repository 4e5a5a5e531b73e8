import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Offline reading of a stored receipt", .timeLimit(.minutes(10)))
struct OfflineReadingTests {
    private static let apple = ReceiptAuthority.shared

    private static func report(
        _ bytes: [UInt8], storedFor bundle: BundleID = "acme"
    ) throws -> ValidationReport {
        try report(text: String(decoding: Base64.encode(bytes), as: UTF8.self), bundle)
    }

    private static func report(
        text: String, _ bundle: BundleID = "acme"
    ) throws -> ValidationReport {
        var settings = ValidationSettings()
        settings.isOffline = true
        let validator = try AppStoreValidator(
            settings, secrets: .none, roots: TrustedRoots([apple.root.der]), now: { .asOf })
        let precheck = validator.precheck(ReceiptData(text), storedFor: bundle)
        guard case .resolved(let report) = precheck else {
            Issue.record("must be requested")
            throw CancellationError()
        }
        return report
    }

    private static func receipt(_ payload: PayloadForge) throws -> Receipt {
        let report = try report(apple.receipt(payload.encoded))
        guard case .verified(let receipt) = report.validation else {
            Issue.record("\(report.validation.words): \(report.attempts.detail ?? "")")
            throw CancellationError()
        }
        return receipt
    }

    private static func instant(_ text: String) throws -> Instant {
        try #require(Instant(rfc3339: text))
    }

    @Test("A receipt proves nothing after its own expiration date, which VPP receipts have")
    func expired() throws {
        for (day, isProof) in [("2026-11-20T01:59:59Z", false), ("2026-11-21T00:00:00Z", true)] {
            var payload = PayloadForge()
            payload.others = PayloadForge.attribute(21, PayloadForge.date(day))
            let report = try Self.report(Self.apple.receipt(payload.encoded))
            #expect(report.validation.isVerified == isProof)
            #expect(
                report.attempts.detail
                    == (isProof ? nil : "judged offline: the receipt itself expired at \(day)"))
        }
    }

    @Test("A genuine receipt is verified, with every field that a receipt can have")
    func verified() throws {
        var payload = PayloadForge()
        payload.others =
            PayloadForge.attribute(18, PayloadForge.date("2020-01-02T03:04:05Z"))
            + PayloadForge.attribute(19, ReceiptForge.text("4.2"))
        payload.purchases = [
            ReceiptForge.tlv(
                0x31,
                PayloadForge.attribute(1_702, ReceiptForge.text("pro.monthly"))
                    + PayloadForge.attribute(1_703, ReceiptForge.text("1002"))
                    + PayloadForge.attribute(1_704, PayloadForge.date("2024-05-01T00:00:00Z"))
                    + PayloadForge.attribute(1_705, ReceiptForge.text("1001"))
                    + PayloadForge.attribute(1_708, PayloadForge.date("2024-06-01T00:00:00Z"))
                    + PayloadForge.attribute(1_712, PayloadForge.date("2024-05-03T00:00:00Z"))
                    + PayloadForge.attribute(1_713, [2, 1, 1])
                    + PayloadForge.attribute(1_719, [2, 1, 0])
                    + PayloadForge.attribute(1_721, ReceiptForge.text("autumn")))
        ]
        let receipt = try Self.receipt(payload)
        var transaction = Transaction(
            id: "1002", originalID: "1001", product: "pro.monthly",
            purchasedAt: try Self.instant("2024-05-01T00:00:00Z"))
        transaction.expiresAt = try Self.instant("2024-06-01T00:00:00Z")
        transaction.cancelledAt = try Self.instant("2024-05-03T00:00:00Z")
        transaction.isTrial = true
        transaction.promotionalOffer = "autumn"
        let made = try Self.instant("2024-05-06T07:08:09Z")
        #expect(
            receipt
                == Receipt(
                    bundle: "acme", environment: .production, createdAt: made, requestedAt: made,
                    originalApplicationVersion: "4.2",
                    originalPurchaseAt: try Self.instant("2020-01-02T03:04:05Z"),
                    transactions: [transaction]))
    }

    @Test(
        "A receipt is from production or from the sandbox",
        arguments: [
            ("Production", .production), ("ProductionVPP", .production),
            ("ProductionSandbox", .sandbox), ("ProductionVPPSandbox", .sandbox),
        ] as [(String, StoreEnvironment)])
    func environments(name: String, environment: StoreEnvironment) throws {
        let receipt = try Self.receipt(PayloadForge(environment: name))
        #expect(receipt.environment == environment)
    }

    @Test("An empty cancellation date is none, and a purchase without a chain is its own")
    func emptyDates() throws {
        let bare = ReceiptForge.tlv(
            0x31,
            PayloadForge.attribute(1_702, ReceiptForge.text("unlock"))
                + PayloadForge.attribute(1_703, ReceiptForge.text("7"))
                + PayloadForge.attribute(1_704, PayloadForge.date("2024-05-01T00:00:00Z"))
                + PayloadForge.attribute(1_705, ReceiptForge.text(""))
                + PayloadForge.attribute(1_708, PayloadForge.date(""))
                + PayloadForge.attribute(1_712, []))
        let receipt = try Self.receipt(PayloadForge(purchases: [bare]))
        #expect(receipt.anomalies.isEmpty)
        #expect(
            receipt.transactions == [
                Transaction(
                    id: "7", originalID: "7", product: "unlock",
                    purchasedAt: try Self.instant("2024-05-01T00:00:00Z"))
            ])
    }

    @Test(
        "A malformed purchase is set aside, and the others are kept",
        arguments: [
            (PayloadForge.purchase(""), "product_id"),
            (PayloadForge.purchase(id: ""), "transaction_id"),
            (PayloadForge.purchase(at: ""), "purchase_date"),
            (PayloadForge.purchase(at: "today"), "purchase_date"),
            (PayloadForge.purchase(expires: "soon"), "expires_date"),
            (PayloadForge.purchase(cancelled: "2024-02-30T00:00:00Z"), "cancellation_date"),
            ([0x30, 0], "in_app"),
        ])
    func anomalies(purchase: [UInt8], key: String) throws {
        let good = PayloadForge.purchase("unlock", id: "77", expires: "", kind: 0)
        let receipt = try Self.receipt(PayloadForge(purchases: [good, good, purchase]))
        #expect(receipt.transactions.map(\.id) == ["77"])
        #expect(receipt.anomalies.map(\.key) == [key])
    }

    @Test("A transaction id with two contents is set aside")
    func contradictory() throws {
        let good = PayloadForge.purchase("unlock", id: "77", expires: "", kind: 0)
        let other = PayloadForge.purchase("other", id: "77")
        let receipt = try Self.receipt(PayloadForge(purchases: [good, good, other]))
        #expect(receipt.transactions.isEmpty)
        #expect(receipt.anomalies.map(\.key) == ["transaction_id twice"])
    }

    @Test("A receipt is rejected only if its signature does not fit its bytes, at any place")
    func forged() throws {
        let bytes = Self.apple.receipt(PayloadForge(purchases: [PayloadForge.purchase()]).encoded)
        let signed = try SignedData(bytes)
        let signature = try #require(try signed.signers().first).signature
        for place in [signed.content.startIndex + 40, signature.startIndex] {
            var forged = bytes
            forged[place] ^= 1
            let report = try Self.report(forged)
            #expect(report.validation == .rejected(.signature))
            #expect(report.attempts.count == 0 && report.requests.sent == 0)
        }
    }

    private static let unmarked = TestCertificate(
        "Developer", serial: 9, key: SigningKey(), by: apple.middle)

    @Test(
        "A receipt that only Apple could judge is unverified, with the cause",
        arguments: [
            (ReceiptAuthority.other.receipt(PayloadForge().encoded), "trusted root"),
            (apple.receipt(PayloadForge(createdAt: "").encoded), "when it was made"),
            (apple.receipt(PayloadForge(createdAt: "2007-01-01T00:00:00Z").encoded), "not valid"),
            (apple.receipt(PayloadForge(environment: "Moon").encoded), "no environment"),
            (apple.receipt(PayloadForge(bundle: "").encoded), "no app"),
            (apple.receipt([2, 1, 1]), "not a set"),
            (ReceiptForge.receipt(PayloadForge().encoded), "not signed"),
            (
                SignedForm().container(
                    of: PayloadForge().encoded, signedBy: [unmarked], [unmarked, apple.middle]),
                "not one for receipts"
            ),
            (
                SignedForm().container(
                    of: PayloadForge().encoded, signedBy: [apple.signer, apple.signer],
                    apple.certificates), "2 signatures"
            ),
            (
                Array(#"{ "signature" = "AA=="; "purchase-info" = "e30="; }"#.utf8),
                "iOS 6"
            ),
        ])
    func unproven(bytes: [UInt8], why: String) throws {
        let report = try Self.report(bytes)
        #expect(report.validation == .unverified(.offline))
        let detail = try #require(report.attempts.detail)
        #expect(detail.hasPrefix("judged offline: ") && detail.contains(why), "\(detail)")
    }

    @Test(
        "Data that is no receipt is unusable, as it is online",
        arguments: [("", .empty), ("bm90aGluZw==", .notAReceipt), ("eyJh.eyJi.c2ln", .jws)]
            as [(String, Unusable)])
    func unusable(text: String, why: Unusable) throws {
        #expect(try Self.report(text: text).validation == .unusable(why))
    }
}
