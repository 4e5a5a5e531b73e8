import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A request to verifyReceipt", .hangLimit)
struct VerifyReceiptRequestTests {
    /// To add a case, copy a row. A nil is an app that the receipt does not name, or no secret.
    @Test(
        "The base64 is canonical, and the secret that of the app in it, else of the stored app",
        arguments: [
            (inReceipt: "acme", stored: "other", secrets: ofAll, sent: "of-acme"),
            ("other", "acme", ofAll, "of-other"),
            (nil, "other", ofAll, "of-other"),
            ("third", "acme", ofAll, "of-the-rest"),
            ("third", "acme", "acme = of-acme", nil),
            ("acme", "acme", "", nil),
        ] as [(inReceipt: String?, stored: BundleID, secrets: String, sent: String?)])
    func secret(inReceipt: String?, stored: BundleID, secrets: String, sent: String?) async throws {
        let receipt = ReceiptForge.base64(bundle: inReceipt)
        let apple = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
        _ = try await Asking.testing(apple, secrets: secrets)
            .look(at: receipt + "\n", storedFor: stored)
        #expect(apple.asks.count == 1)
        let ask = try #require(apple.asks.first)
        #expect(ask.receipt == receipt)
        #expect(!ask.excludesOldTransactions)
        #expect(ask.password == sent)
        let keys: Set = ["receipt-data", "exclude-old-transactions"]
        #expect(ask.keys == (sent == nil ? keys : keys.union(["password"])))
    }

    private static let ofAll = "acme = of-acme\nother = of-other\n* = of-the-rest"

    @Test("Rows share a request if they have one receipt and one secret")
    func sharing() async throws {
        let receipt = TestDatabase.receipt("r")
        let withoutBundle = ReceiptForge.base64(bundle: nil)
        let asking = try Asking.testing(secrets: "acme = a\nother = o")
        var rows: [(data: String, bundle: BundleID)] = []
        let unpadded = String(receipt.prefix { $0 != "=" })
        for text in [receipt, receipt + "\n", unpadded] {
            rows += [(text, "acme"), (text, "other")]
        }
        rows.append((TestDatabase.receipt("s"), "acme"))
        rows += [(withoutBundle, "other"), (withoutBundle, "acme")]
        let inquiry = try await asking.source.inquiry(
            about: rows.enumerated().map { number, row in
                StoredReceipt(
                    id: ReceiptID("r\(number)"), user: "ann", bundle: row.bundle,
                    data: ReceiptData(row.data), storedAt: .asOf)
            }, of: "ann")
        #expect(inquiry.questions.map(\.receipt) == ["r0", "r6", "r7", "r8"])
        let answers = inquiry.concluded { refusal, _ in refusal.confirmed }
        #expect(answers.decidingQuestions == [0, 0, 0, 0, 0, 0, 1, 2, 3])
    }

    @Test("The key of a question in evidence covers the receipt and the app, and no secret")
    func key() throws {
        let withoutBundle = ReceiptForge.base64(bundle: nil)
        for bundle: BundleID in ["other", "acme"] {
            let digest = Digest.sha256(Array("\(withoutBundle)\n\(bundle.text)".utf8)).bytes
            for secrets in ["", "* = a", "* = b"] {
                let question = try Asking.testing(secrets: secrets)
                    .question(withoutBundle + "\n", storedFor: bundle)
                #expect(question.digest == digest)
            }
        }
    }

    private static let hopeless = {
        let whole = ReceiptForge.base64()
        return [
            String(whole.prefix(1)), String(whole.prefix(whole.count / 2)), whole + whole,
            base64(Array(whole.utf8)), "\"\(whole)\"", "data:;base64,\(whole)", "====",
            whole.utf8.map { "\($0)" }.joined(),
            whole.map { $0 == "A" ? "%41" : "\($0)" }.joined(),
            "é" + whole.dropFirst(2), #"{"receipt-data":"\#(whole)"}"#, String(whole.reversed()),
        ]
    }()

    /// Stored data, and why it is no receipt. To add a case, add its text to a list.
    private static let noReceipts: [(data: String, why: Unusable)] =
        ["", "\r\n\t", "\n\n"].map { ($0, .empty) }
        + [
            "bm90aGluZw==", "%%%", "%%%%", "not a receipt!", "AAFoZWxsbyB3b3JsZA==", "eyJh.b",
            "MIIB", "e30=", "null", #"{"a":"x"}"#, "eyAiYSIgPSAiYiI7IH0=",
        ].map { ($0, .notAReceipt) }
        + [
            "eyJhbGciOiJFUzI1NiJ9.eyJ0IjoiMSJ9.QUJD", "\neyJh.eyJ0.QUJD\n",
            "eyJhIjoxfQ.eyJiIjoyfQ.c2ln", "ZXlKaC5leUowLlFVSkQ=", "eyJh.eyJi.c2ln",
            "eyJ\(ReceiptForge.base64()).eyJ.c2ln",
        ].map { ($0, .jws) }
        + [(base64(PayloadForge(environment: "Xcode").signed()), .xcode)]
        + hopeless.map { ($0, .notAReceipt) }

    /// Offline a JWS is judged by its own signature, which these do not have.
    @Test(
        "Data that is no receipt is never sent, and is judged so offline as well",
        arguments: noReceipts, [false, true])
    func unusable(example: (data: String, why: Unusable), isOffline: Bool) async throws {
        let source: any AppleSource =
            isOffline
            ? StoredProofs(
                provenBy: AppleSignature(.apple), verifiedBy: JWSVerifier(.apple), now: { .asOf })
            : try Asking.testing().source
        let stored = StoredReceipt(
            id: "r", user: "ann", bundle: "acme", data: ReceiptData(example.data), storedAt: .asOf)
        let inquiry = try await source.inquiry(about: [stored], of: "ann")
        #expect(!inquiry.hasOpenQuestions)
        let answers = inquiry.concluded { refusal, _ in refusal.confirmed }
        let isUnproven = isOffline && example.why == .jws
        #expect(
            answers.reports[0].validation
                == (isUnproven ? .unverified(.offline) : .unusable(example.why)))
    }

    private static let toldByApp = "not requested: most answers about its app were 21004"

    /// How many receipts were sent before. To add a case, copy a row.
    @Test(
        "No request is sent after the deadline, an outage or many refused secrets, with the reason",
        arguments: [
            (before: 0, cause: .deadline, detail: "not answered before --max-runtime was over"),
            (50, .outage, "not requested: Apple was down for longer than --outage-patience"),
            (20, .sharedSecretRejected, toldByApp),
            (20, .sharedSecretMissing, toldByApp),
        ] as [(before: Int, cause: Unverified, detail: String)])
    func unasked(before: Int, cause: Unverified, detail: String) async throws {
        let status = cause == .outage ? "503 No" : "200 OK"
        let apple = try ScriptedApple { _ in [.reply(status: status, AppleAnswer.status(21004))] }
        let secrets = cause == .sharedSecretMissing ? "" : "* = x"
        let asking = try Asking.testing(apple, secrets: secrets) {
            $0.maxAttempts = 1
            $0.outagePatience = .zero
        }
        for number in 0..<before {
            let look = try await asking.look(at: TestDatabase.receipt("r\(number)"))
            #expect(look.requests.sent == 1)
        }
        let deadline = cause == .deadline ? Deadline(after: .seconds(-1)) : nil
        let last = try asking.question(TestDatabase.receipt("last"))
        let look = try await asking.look(at: last, of: nil, before: deadline)
        #expect(look.outcome == .unverified(cause))
        #expect(look.requests == RequestRecord())
        #expect(look.attempts.detail == detail)
        #expect(look.attempts.count == 0)
        #expect(apple.asks.count == before)
    }
}
