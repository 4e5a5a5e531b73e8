import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A refusal by Apple", .timeLimit(.minutes(10)))
struct RefusalTests {
    private func refusal(
        by status: Int, headers: [String] = []
    ) async throws -> (refusal: Refusal, body: String) {
        let body = AppleAnswer.status(status)
        let apple = try ScriptedApple { _ in [.reply(headers: headers, body)] }
        let validator = try AppStoreValidator.asking(apple)
        let look = try await validator.look(at: TestDatabase.receipt("r"))
        guard case .refused(let refusal) = look else {
            Issue.record("\(look.words)")
            throw CancellationError()
        }
        return (refusal, body)
    }

    @Test(
        "A confirmed refusal is a rejection, with Apple's answer as its evidence",
        arguments: [(21003, .notAuthentic), (21010, .accountGone)] as [(Int, Rejection)])
    func confirmed(status: Int, rejection: Rejection) async throws {
        let (refusal, body) = try await refusal(by: status)
        let report = refusal.confirmed
        #expect(report.validation == .rejected(rejection))
        #expect(report.attempts.detail == nil)
        #expect(report.attempts.count == 1)
        #expect(report.attempts.lastStatus == status)
        #expect(report.requests == refusal.requests)
        #expect(report.body?.bytes == Array(body.utf8))
    }

    @Test(
        "A doubted refusal is unverified, and says what Apple answered",
        arguments: [Unverified.refusalUnconfirmed, .refusalContradictsSignature])
    func doubted(cause: Unverified) async throws {
        let (refusal, body) = try await refusal(by: 21003)
        let report = refusal.doubted(cause)
        #expect(report.validation == .unverified(cause))
        #expect(report.attempts.detail == "status 21003 (production, attempt 1)")
        #expect(report.requests == refusal.requests)
        #expect(report.body?.bytes == Array(body.utf8))
    }

    @Test("A refusal has Apple's request id, for Apple's support")
    func requestID() async throws {
        let (refusal, _) = try await refusal(
            by: 21003, headers: ["X-Apple-Request-UUID: 7a-B9"])
        #expect(
            refusal.doubted(.refusalUnconfirmed).attempts.detail
                == "status 21003 (production, attempt 1, request 7a-B9)")
    }
}

/// Whether the receipt itself proves that Apple signed it, which 21003 would contradict.
@Suite("The signature of a receipt that Apple refuses", .timeLimit(.minutes(10)))
struct GenuineReceiptTests {
    private static let authority = ReceiptAuthority.shared
    private static let payload = PayloadForge(purchases: [PayloadForge.purchase()])

    private func isGenuine(
        _ bytes: [UInt8], trusting roots: TrustedRoots = TrustedRoots([authority.root.der])
    ) throws -> Bool {
        let validator = try AppStoreValidator.quick(
            production: "http://127.0.0.1:1/", sandbox: "http://127.0.0.1:1/", roots: roots)
        return validator.isGenuine(
            try validator.question(String(decoding: Base64.encode(bytes), as: UTF8.self)))
    }

    @Test(
        "A receipt that is signed under a trusted root is genuine, in every form of Apple's",
        arguments: SignedDataTests.forms)
    func genuine(form: SignedForm) throws {
        #expect(try isGenuine(Self.authority.receipt(Self.payload.encoded, form)))
    }

    @Test("The receipt is genuine whichever app it names, since it may be stored for another one")
    func otherApp() throws {
        let receipt = Self.authority.receipt(PayloadForge(bundle: "acme.other").encoded)
        #expect(try isGenuine(receipt))
    }

    @Test("A forged receipt is not genuine", arguments: Forgery.all)
    func forged(forgery: Forgery) throws {
        #expect(try isGenuine(forgery.bytes) == false)
    }

    @Test("A receipt with one changed byte in its signed part is not genuine")
    func altered() throws {
        var bytes = Self.authority.receipt(Self.payload.encoded)
        bytes[try #require(bytes.firstRange(of: Array("acme".utf8))).lowerBound] ^= 1
        #expect(try isGenuine(bytes) == false)
    }

    @Test("A receipt that another authority signed is not genuine under Apple's roots")
    func applesRoots() throws {
        #expect(
            try isGenuine(Self.authority.receipt(Self.payload.encoded), trusting: .apple) == false)
    }

    @Test("A receipt without a signature that can be checked is not genuine: iOS 6, unsigned")
    func unsigned() throws {
        #expect(try isGenuine(ReceiptForge.receipt(ReceiptForge.payload())) == false)
        let list = Array("{ \"signature\" = \"QUJD\"; \"purchase-info\" = \"e30=\"; }".utf8)
        #expect(try isGenuine(list) == false)
    }
}
