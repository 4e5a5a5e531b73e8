import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A request to verifyReceipt", .timeLimit(.minutes(10)))
struct VerifyReceiptRequestTests {
    private static let secrets = "acme = of-acme\nother = of-other\n* = of-the-rest"

    @Test(
        "The secret is that of the app in the receipt, else of the stored app",
        arguments: [
            ("acme", "other", secrets, "of-acme"), ("other", "acme", secrets, "of-other"),
            (nil, "other", secrets, "of-other"), ("third", "acme", secrets, "of-the-rest"),
            (nil, "third", secrets, "of-the-rest"), ("third", "acme", "acme = of-acme", nil),
            ("acme", "acme", "", nil),
        ] as [(String?, BundleID, String, String?)])
    func secret(named: String?, stored: BundleID, secrets: String, sent: String?) async throws {
        let receipt = String(decoding: ReceiptForge.base64(bundle: named), as: UTF8.self)
        let ask = try await ask(receipt, storedFor: stored, secrets: secrets)
        #expect(ask.password == sent)
        #expect(ask.receipt == receipt)
        #expect(!ask.excludesOldTransactions)
        let keys: Set = ["receipt-data", "exclude-old-transactions"]
        #expect(ask.keys == (sent == nil ? keys : keys.union(["password"])))
    }

    @Test(
        "The base64 is canonical, however the receipt was stored",
        arguments: [
            { $0 },
            { $0.enumerated().map { $0.0 % 64 == 63 ? "\($0.1)\r\n" : "\($0.1)" }.joined() },
            { $0.replacing("+", with: " ") },
            { $0.replacing("+", with: "-").replacing("/", with: "_") },
            { $0.replacing("=", with: "") }, { "\n\($0)\n" },
        ] as [@Sendable (String) -> String])
    func base64(damage: @Sendable (String) -> String) async throws {
        // The serial gives base64 with everything that can be damaged: plus, slash and padding.
        let receipt = String(
            decoding: ReceiptForge.base64(serial: "\u{3EF}?\u{3EF}>\u{3FE}~?>~~?>"), as: UTF8.self)
        for character in "+/=" { try #require(receipt.contains(character)) }
        #expect(try await ask(damage(receipt), storedFor: "acme", secrets: "").receipt == receipt)
    }

    @Test("The body for the sandbox equals the body for production")
    func sandbox() async throws {
        let apple = try ScriptedApple { ask in
            let isFirst = ask.environment == .production
            return [.reply(isFirst ? AppleAnswer.status(21007) : AppleAnswer.verified())]
        }
        let validator = try AppStoreValidator.asking(apple)
        _ = try await validator.look(at: TestDatabase.receipt("r"))
        #expect(apple.production.requests.map(\.body) == apple.sandbox.requests.map(\.body))
    }

    @Test("Identical receipts give the same request, and different ones do not")
    func identity() throws {
        let apple = try ScriptedApple(status: 0)
        let validator = try AppStoreValidator.asking(apple, secrets: "acme = a\nother = o")
        let missingTransactionID = String(decoding: ReceiptForge.base64(bundle: nil), as: UTF8.self)
        let receipt = TestDatabase.receipt("r")
        let same = try [receipt, receipt + "\n", receipt.replacing("=", with: "")].map {
            try validator.question($0)
        }
        #expect(Set(same).count == 1)
        #expect(
            Set(try ["acme", "other"].map { try validator.question(receipt, storedFor: $0) })
                .count == 1)
        let different = [
            same[0], try validator.question(TestDatabase.receipt("s")),
            try validator.question(missingTransactionID, storedFor: "acme"),
            try validator.question(missingTransactionID, storedFor: "other"),
        ]
        #expect(Set(different).count == 4)
    }

    @Test("The digest covers the receipt as sent and its bundle, and never the secret")
    func digest() throws {
        let apple = try ScriptedApple(status: 0)
        let missingTransactionID = String(decoding: ReceiptForge.base64(bundle: nil), as: UTF8.self)
        let digests = try ["", "* = a", "* = b"].map { secrets in
            try AppStoreValidator.asking(apple, secrets: secrets)
                .question(missingTransactionID + "\n", storedFor: "other").digest
        }
        let expected = Digest.sha256(Array((missingTransactionID + "\nother").utf8)).bytes
        #expect(digests == [expected, expected, expected])
        let stored = try AppStoreValidator.asking(apple).question(
            missingTransactionID, storedFor: "acme")
        #expect(stored.digest != expected)
    }

    @Test(
        "Data that is no receipt gives no request",
        arguments: [
            ("", .empty), (" \n", .empty), ("bm90aGluZw==", .notAReceipt), ("%%%", .notAReceipt),
            ("eyJhIjoxfQ.eyJiIjoyfQ.c2ln", .jws),
            (String(decoding: ReceiptForge.base64(environment: "Xcode"), as: UTF8.self), .xcode),
        ] as [(String, Unusable)])
    func unusable(text: String, why: Unusable) throws {
        let validator = try AppStoreValidator.asking(try ScriptedApple(status: 0))
        let precheck = validator.precheck(ReceiptData(text), storedFor: "acme")
        guard case .resolved(let report) = precheck else {
            Issue.record("must be requested")
            return
        }
        #expect(report.validation == .unusable(why))
    }

    private func ask(
        _ receipt: String, storedFor bundle: BundleID, secrets: String
    ) async throws -> ScriptedApple.Ask {
        let apple = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
        let validator = try AppStoreValidator.asking(apple, secrets: secrets)
        _ = try await validator.look(at: receipt, storedFor: bundle)
        try #require(apple.asks.count == 1)
        return apple.asks[0]
    }
}
