import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A request to verifyReceipt", .timeLimit(.minutes(10)))
struct VerifyReceiptRequestTests {
    /// The app in the receipt, the stored app, the file of secrets, the secret in the request.
    @Test(
        "The base64 is canonical, and the secret that of the app in it, else of the stored app",
        arguments: """
            acme  | other | acme = of-acme, other = of-other, * = of-the-rest | of-acme
            other | acme  | acme = of-acme, other = of-other, * = of-the-rest | of-other
            -     | other | acme = of-acme, other = of-other, * = of-the-rest | of-other
            third | acme  | acme = of-acme, other = of-other, * = of-the-rest | of-the-rest
            third | acme  | acme = of-acme | -
            acme  | acme  | | -
            """.rows)
    func secret(row: [String]) async throws {
        let receipt = ReceiptForge.base64(bundle: row[0] == "-" ? nil : row[0])
        let secrets = row[2].replacing(", ", with: "\n")
        let apple = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
        _ = try await Asking.testing(apple, secrets: secrets)
            .look(at: receipt + "\n", storedFor: BundleID(row[1]))
        let ask = try #require(apple.asks.first)
        #expect(apple.asks.count == 1 && ask.receipt == receipt && !ask.excludesOldTransactions)
        let keys = ["receipt-data", "exclude-old-transactions", row[3] == "-" ? nil : "password"]
        #expect(ask.keys == Set(keys.compactMap(\.self)) && ask.password ?? "-" == row[3])
    }

    @Test("Rows share a request if they have one receipt and one secret")
    func sharing() async throws {
        let receipt = TestDatabase.receipt("r")
        let withoutBundle = ReceiptForge.base64(bundle: nil)
        let asking = try Asking.testing(secrets: "acme = a\nother = o")
        var rows: [(data: String, bundle: BundleID)] = []
        for text in [receipt, receipt + "\n", receipt.replacing("=", with: "")] {
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
        #expect(answers.questionIndices == [0, 0, 0, 0, 0, 0, 1, 2, 3])
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
            whole.utf8.map { "\($0)" }.joined(), whole.replacing("A", with: "%41"),
            "é" + whole.dropFirst(2), #"{"receipt-data":"\#(whole)"}"#, String(whole.reversed()),
        ]
    }()

    @Test(
        "Data that is no receipt is never sent, and is judged so offline as well",
        arguments: #"""
            empty         | | \r\n\t | \n\n
            not_a_receipt | bm90aGluZw== | %%% | %%%% | not a receipt! | AAFoZWxsbyB3b3JsZA==
            not_a_receipt | eyJh.b | MIIB | e30= | null | {"a":"x"} | eyAiYSIgPSAiYiI7IH0=
            jws           | eyJhbGciOiJFUzI1NiJ9.eyJ0IjoiMSJ9.QUJD | \neyJh.eyJ0.QUJD\n
            jws           | eyJhIjoxfQ.eyJiIjoyfQ.c2ln | ZXlKaC5leUowLlFVSkQ= | eyJh.eyJi.c2ln
            jws           | eyJ\#(ReceiptForge.base64()).eyJ.c2ln
            xcode         | \#(base64(PayloadForge(environment: "Xcode").signed()))
            """#.rows + [["not_a_receipt"] + hopeless], [false, true])
    func unusable(row: [String], isOffline: Bool) async throws {
        let source: any AppleSource =
            isOffline
            ? StoredProofs(provenBy: AppleSignature(.apple), now: { .asOf })
            : try Asking.testing().source
        for text in row.dropFirst() {
            let text = text.replacing(#"\r\n\t"#, with: "\r\n\t").replacing(#"\n"#, with: "\n")
            let stored = StoredReceipt(
                id: "r", user: "ann", bundle: "acme", data: ReceiptData(text), storedAt: .asOf)
            let inquiry = try await source.inquiry(about: [stored], of: "ann")
            #expect(!inquiry.hasOpenQuestions)
            let answers = inquiry.concluded { refusal, _ in refusal.confirmed }
            #expect(answers.perReceipt[0].validation.words == "unusable \(row[0])")
        }
    }

    /// How many receipts were sent before, the cause and the detail.
    @Test(
        "No request is sent after the deadline, an outage or many refused secrets, with the reason",
        arguments: """
            0  | deadline | not answered before --max-runtime was over
            50 | outage   | not requested: Apple was down for longer than --outage-patience
            20 | shared_secret_rejected | not requested: most answers about its app were 21004
            20 | shared_secret_missing  | not requested: most answers about its app were 21004
            """.triples)
    func unasked(before: String, cause: String, detail: String) async throws {
        let count = try #require(Int(before))
        let status = cause == "outage" ? "503 No" : "200 OK"
        let apple = try ScriptedApple { _ in [.reply(status: status, AppleAnswer.status(21004))] }
        let secrets = cause == "shared_secret_missing" ? "" : "* = x"
        let asking = try Asking.testing(apple, secrets: secrets) {
            $0.maxAttempts = 1
            $0.outagePatience = .zero
        }
        for number in 0..<count {
            let look = try await asking.look(at: TestDatabase.receipt("r\(number)"))
            #expect(look.requests.sent == 1)
        }
        let deadline = cause == "deadline" ? Deadline(after: .seconds(-1)) : nil
        let last = try asking.question(TestDatabase.receipt("last"))
        let look = try await asking.look(at: last, of: nil, before: deadline)
        #expect(look.words == "unverified \(cause)" && look.requests == RequestRecord())
        #expect(look.attempts.detail == detail && look.attempts.count == 0)
        #expect(apple.asks.count == count)
    }
}
