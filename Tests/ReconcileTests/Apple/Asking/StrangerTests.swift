import Testing

@testable import Reconcile
@testable import TestSupport

/// A receipt that a stranger sends, and what becomes of it when Apple answers 21002.
struct HandedIn: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let outcome: ReceiptOutcome

    static let apple = ReceiptAuthority.shared
    static let stranger = ReceiptAuthority(name: "Stranger")
    private static let payload = PayloadForge().encoded
    private static let unverified = ReceiptOutcome.unverified(
        .malformedAccordingToApple)
    private static let rejected = ReceiptOutcome.rejected(.signature)

    /// As many receipts as wanted, each with a content of its own.
    enum Genuine: CaseIterable, CustomTestStringConvertible {
        case pkcs7, iOS6

        var testDescription: String { self == .iOS6 ? "iOS 6 receipts" : "app receipts" }

        func receipt(_ number: Int) -> [UInt8] {
            guard self == .pkcs7 else {
                return IOS6Forge.receipt(by: apple.signer, transaction: "\(number)")
            }
            var payload = PayloadForge()
            payload.opaque = Array("\(number)".utf8)
            return apple.receipt(payload.encoded)
        }
    }

    /// The signature fits, and something that it does not cover was changed.
    static let variants = [
        HandedIn(
            testDescription: "with bytes after its end", bytes: apple.receipt(payload) + [7],
            outcome: unverified),
        HandedIn(
            testDescription: "with an unsigned attribute",
            bytes: apple.receipt(
                payload, SignedForm(afterSignature: ReceiptForge.tlv(0xA1, [0x30, 0]))),
            outcome: unverified),
        HandedIn(
            testDescription: "with a revocation list",
            bytes: apple.receipt(
                payload, SignedForm(afterCertificates: ReceiptForge.tlv(0xA1, [0x30, 0]))),
            outcome: unverified),
        HandedIn(
            testDescription: "with a certificate twice",
            bytes: SignedForm().container(
                of: payload, signedBy: [apple.signer], apple.certificates + [apple.middle]),
            outcome: unverified),
        HandedIn(
            testDescription: "with indefinite lengths",
            bytes: apple.receipt(payload, SignedForm(isBER: true)), outcome: unverified),
        HandedIn(
            testDescription: "an iOS 6 receipt with another key",
            bytes: IOS6Forge.receipt(by: apple.signer, around: #""more" = "1";"#),
            outcome: unverified),
    ]

    static let strange = [
        HandedIn(
            testDescription: "unsigned", bytes: ReceiptForge.receipt(payload), outcome: unverified),
        HandedIn(
            testDescription: "signed by a stranger", bytes: stranger.receipt(payload),
            outcome: unverified),
        HandedIn(
            testDescription: "altered", bytes: apple.receipt(payload).altering("acme"),
            outcome: rejected),
        HandedIn(
            testDescription: "signed by a stranger, and altered",
            bytes: stranger.receipt(payload).altering("acme"), outcome: rejected),
        HandedIn(
            testDescription: "without the certificate of its signer",
            bytes: SignedForm().container(
                of: payload, signedBy: [apple.signer], [apple.middle, apple.root]),
            outcome: unverified),
        HandedIn(
            testDescription: "of several signers, and altered",
            bytes: SignedForm().container(
                of: payload, signedBy: [apple.signer, stranger.signer],
                [apple.signer, stranger.signer]
            ).altering("acme"),
            outcome: unverified),
        HandedIn(
            testDescription: "an unsigned iOS 6 receipt", bytes: IOS6Forge.unsigned(),
            outcome: unverified),
        HandedIn(
            testDescription: "an iOS 6 receipt, signed by a stranger",
            bytes: IOS6Forge.receipt(by: stranger.signer), outcome: unverified),
        HandedIn(
            testDescription: "an iOS 6 receipt, altered",
            bytes: IOS6Forge.receipt(by: apple.signer, presented: "2"), outcome: rejected),
    ]
}

extension [UInt8] {
    /// Changes the first letter of the first `text`.
    func altering(_ text: String) -> [UInt8] {
        var bytes = self
        bytes[bytes.ranges(of: text.utf8)[0].lowerBound] ^= 1
        return bytes
    }
}

/// To add a case, copy a receipt of `HandedIn.strange` or `.variants`, or a row of a table.
@Suite("Answers about receipts that a stranger may have made", .hangLimit)
struct StrangerTests {
    /// The middle authority too, which an iOS 6 receipt does not carry.
    private static let roots = TrustedRoots([
        HandedIn.apple.root.der, HandedIn.apple.middle.der,
    ])

    /// The outcomes of a look at each receipt, which `answer` is the only answer to; and the
    /// changes of pace.
    private func looks(
        at receipts: [[UInt8]], _ answer: LoopbackServer.Act
    ) async throws -> (outcomes: Set<ReceiptOutcome>, changes: [PaceChange]) {
        let apple = try ScriptedApple { _ in [answer] }
        let changes = Shared<[PaceChange]>([])
        let asking = try Asking.testing(
            apple, roots: Self.roots,
            change: {
                $0.maxAttempts = 1
                $0.outagePatience = .zero
            },
            observe: { change in changes.update { $0.append(change) } })
        var outcomes: Set<ReceiptOutcome> = []
        for bytes in receipts { outcomes.insert(try await asking.look(at: base64(bytes)).outcome) }
        return (outcomes, changes.current)
    }

    private func sixty(_ receipt: HandedIn) -> [[UInt8]] {
        Array(repeating: receipt.bytes, count: 60)
    }

    @Test(
        "21002 about them leaves the rate and the breaker alone",
        arguments: HandedIn.strange + HandedIn.variants)
    func strange(receipt: HandedIn) async throws {
        let (outcomes, changes) = try await looks(at: sixty(receipt), .status(21002))
        #expect(outcomes == [receipt.outcome])
        #expect(changes == [])
    }

    @Test(
        "21002 about receipts that Apple signed is a failure", arguments: HandedIn.Genuine.allCases)
    func genuine(form: HandedIn.Genuine) async throws {
        let (outcomes, changes) = try await looks(at: (1...60).map(form.receipt), .status(21002))
        #expect(outcomes == [.unverified(.malformedAccordingToApple), .unverified(.outage)])
        #expect(changes.contains(.outageBegan(cause: "status 21002")))
    }

    @Test("21002 about one signed content is a few failures, however often it comes")
    func oneContent() async throws {
        let pods = (1...60).map { pod in
            IOS6Forge.receipt(by: HandedIn.apple.signer, around: #""pod" = "\#(pod)";"#)
        }
        for receipts in [pods, Array(repeating: HandedIn.Genuine.pkcs7.receipt(1), count: 60)] {
            #expect(try await looks(at: receipts, .status(21002)).changes == [])
        }
    }

    @Test(
        "HTTP statuses that a receipt can provoke count as 21002 does",
        arguments: [
            "400 Bad Request", "403 Forbidden", "413 Content Too Large", "414 URI Too Long",
            "431 Request Header Fields Too Large", "499 No",
        ])
    func refusedByHTTP(status: String) async throws {
        let answer = LoopbackServer.Act.reply(status: status, "")
        let strange = try await looks(at: sixty(HandedIn.strange[0]), answer)
        #expect(strange.changes == [])
        let genuine = try await looks(at: (1...60).map(HandedIn.Genuine.pkcs7.receipt), answer)
        #expect(genuine.changes.contains(.outageBegan(cause: "HTTP \(status.prefix(3))")))
    }

    @Test(
        "Replies to strange bytes that nothing documents count as 21002 does",
        arguments: [
            AppleAnswer.status(29_999), AppleAnswer.status(0), AppleAnswer.status(-1),
        ])
    func undocumented(body: String) async throws {
        let answer = LoopbackServer.Act.reply(body)
        let strange = try await looks(at: sixty(HandedIn.strange[0]), answer)
        #expect(strange.changes == [])
        let genuine = try await looks(at: (1...60).map(HandedIn.Genuine.pkcs7.receipt), answer)
        #expect(genuine.changes.contains { $0.beginsOutage })
    }

    @Test("A Retry-After beside such an answer about them pauses nothing")
    func retryAfter() async throws {
        let answer = LoopbackServer.Act.reply(
            headers: ["Retry-After: 90"], AppleAnswer.status(21002))
        let strange = try await looks(at: [HandedIn.strange[0].bytes], answer)
        #expect(strange.changes == [])
        let genuine = try await looks(at: [HandedIn.Genuine.pkcs7.receipt(1)], answer)
        #expect(genuine.changes == [.paused(.production, for: .seconds(90))])
    }

    @Test("A failure of the server counts whatever was asked", arguments: HandedIn.strange)
    func failure(receipt: HandedIn) async throws {
        let (_, changes) = try await looks(at: sixty(receipt), .reply(status: "503 No", ""))
        #expect(changes.contains(.outageBegan(cause: "HTTP 503")))
    }
}

@Suite("A probe in an outage", .hangLimit)
struct ProbeTests {
    private struct Scene {
        let clock = ManualClock()
        let isDown = Shared(false)
        let asked = Shared<[String]>([])
        let changes = Shared<[PaceChange]>([])
        let apple: ScriptedApple
        let asking: Asking

        init() throws {
            apple = try ScriptedApple { [isDown, asked] ask in
                asked.update { $0.append(ask.receipt) }
                if isDown.current { return [.reply(status: "503 No", "")] }
                return [ask.shows("honest") ? .valid(ask) : .status(21002)]
            }
            asking = try Asking.testing(
                apple, clock: clock, change: { $0.maxAttempts = 1 },
                observe: { [changes] change in changes.update { $0.append(change) } })
        }

        func look(at receipt: String) async throws -> QuestionResult {
            let receipt = TestDatabase.receipt(receipt)
            return try await clock.passing { try await asking.look(at: receipt) }
        }

        /// Fifty failures, after the answers so far.
        func breakDown() async throws {
            isDown.update { $0 = true }
            while !changes.current.contains(.outageBegan(cause: "HTTP 503")) {
                _ = try await look(at: "lost")
            }
            isDown.update { $0 = false }
            asked.update { $0 = [] }
        }
    }

    @Test("A probe asks about a receipt that this run verified, and changes nothing of it")
    func asksAboutVerified() async throws {
        let scene = try Scene()
        #expect(try await scene.look(at: "honest").outcome == .verified)
        try await scene.breakDown()
        let look = try await scene.look(at: "strange")
        #expect(look.outcome == .unverified(.malformedAccordingToApple))
        let honest = TestDatabase.receipt("honest")
        let expected = [honest, honest, honest, TestDatabase.receipt("strange")]
        #expect(scene.asked.current == expected)
        #expect(look.attempts.count == 1)
        #expect(look.requests.sent == 4)
        #expect(look.requests.all.map(\.status) == [0, 0, 0, 21002])
        #expect(look.requests.all.map(\.isRetry) == [false, false, false, false])
    }

    @Test("A resumed run's probe asks about a receipt that the run verified before")
    func asksAboutVerifiedBefore() async throws {
        let scene = try Scene()
        let honest = TestDatabase.receipt("honest")
        let stored = StoredReceipt(
            id: "r", user: "u", bundle: "acme", data: ReceiptData(honest), storedAt: .asOf)
        try await scene.asking.recordEarlierAnswers(about: [.production: [stored]])
        try await scene.breakDown()
        _ = try await scene.look(at: "strange")
        #expect(scene.asked.current.first == honest)
    }

    @Test("Without a verified receipt the waiting one is the probe; 21002 decides nothing")
    func nothingVerified() async throws {
        let scene = try Scene()
        try await scene.breakDown()
        for _ in 1...5 { _ = try await scene.look(at: "strange") }
        let outages = scene.changes.current.filter(\.isOfOutage)
        #expect(outages == [.outageBegan(cause: "HTTP 503")])
        for _ in 1...3 { #expect(try await scene.look(at: "honest").outcome == .verified) }
        #expect(scene.changes.current.last?.endsOutage == true)
    }
}
