import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport

@Suite("A fault on Apple's side", .hangLimit)
struct FaultTableTests {
    /// A fault by its name for `simulate --faults`, the servers that are asked in order, and the
    /// outcome for a genuine receipt. To add a case, add the name to the list with its result.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let asked: [AppleServer]
        let outcome: ReceiptOutcome

        var testDescription: String { name }
    }

    private static func each(
        _ names: String..., asked: [AppleServer] = retried, leadTo outcome: ReceiptOutcome
    ) -> [Fault] {
        names.map { Fault(name: $0, asked: asked, outcome: outcome) }
    }

    /// Two attempts a server.
    private static let retried = [AppleServer.production, .production]
    private static let once = [AppleServer.production]

    private static let faults = answers + statuses + bodies + transport

    private static let answers: [Fault] =
        each(
            "chunked", "early-hints", "gzip", "long-string", "slow", "trickle", asked: once,
            leadTo: .verified)
        + each(
            "21001", "21005", "21009", "21104", "21199", "99999", "status-text", "loop-sandbox",
            leadTo: .unverified(.appleUnavailable))
        + each("21002", leadTo: .unverified(.malformedAccordingToApple))
        + each("no-receipt", "21006", leadTo: .unverified(.incompleteAnswer))
        + each("21003", asked: once, leadTo: .refused(.notAuthentic))
        + each("21010", asked: once, leadTo: .refused(.accountGone))
        + each("21000", asked: once, leadTo: .unverified(.requestRefused))
        + each("21004", asked: once, leadTo: .unverified(.sharedSecretRejected))
        + each("21199-final", asked: once, leadTo: .unverified(.appleUnavailable))
        + each(
            "loop", asked: [.production, .sandbox, .production],
            leadTo: .unverified(.environmentLoop))
        // The sandbox rightly names itself.
        + each(
            "loop-production", asked: [.production, .sandbox, .sandbox],
            leadTo: .unverified(.appleUnavailable))

    private static let statuses: [Fault] =
        each(
            "500", "502", "503", "503-after", "503-date", "503-ms", "204", "301", "302", "307",
            "403", "429", "429-bare", "429-date", "429-ms", "429-old-date", "429-fraction",
            "429-negative", "429-past", "429-twice", "429-words", leadTo: .unverified(.httpStatus))
        // These ask for more delay than the receipt's deadline allows.
        + each("429-long", "503-long", asked: once, leadTo: .unverified(.httpStatus))

    /// libcurl takes a cut header and half an answer for complete (the last three).
    private static let bodies: [Fault] = each(
        "html", "empty", "array", "string", "null", "no-status", "duplicate-keys", "bad-utf8",
        "nul", "nul-within", "utf16", "half-json", "two-answers", "deep", "cut-head",
        "two-lengths", "cut-gzip", leadTo: .unverified(.malformedAnswer))

    private static let transport: [Fault] =
        each(
            "cut", "hang-up", "reset", "reset-midway", "noise", "torn-chunk", "bad-chunk",
            "negative-length", "bad-gzip", "bad-encoding", leadTo: .unverified(.connectionFailed))
        + each(
            "hang", "hang-head", "hang-body", "endless-head", "slow-loris",
            leadTo: .unverified(.timeout))
        + each(
            "bomb", "huge", "huge-length", "long-header", "many-headers",
            leadTo: .unverified(.answerTooLarge))

    private static let store = SimulatedStore(
        seed: 1, customers: 1_000, firstNight: Moment(milliseconds: Instant.asOf.milliseconds))

    private static let receipt = (0..<store.customers).lazy.map(store.customer)
        .first { $0.card == Card(story: .yearlySubscriber, flaw: .none) }
        .map { store.receipts(of: $0.number..<$0.number + 1)[0] }

    @Test("A permanent fault leads to its outcome, and accuses no user", arguments: faults)
    func lasts(fault: Fault) async throws {
        let (look, asked) = try await ask(fault, when: "100%", timeout: 5)
        #expect(look.outcome == fault.outcome)
        #expect(asked == fault.asked)
        #expect(look.requests.sent == asked.count)
        #expect(look.attempts.count == asked.count)
        #expect((look.attempts.detail == nil) == (fault.outcome == .verified))
    }

    @Test("A transient fault changes no outcome", arguments: faults.filter { $0.asked == retried })
    func passes(fault: Fault) async throws {
        let (look, asked) = try await ask(fault, when: "first=1", timeout: 20)
        #expect(look.outcome == .verified)
        #expect(asked == Self.retried)
        #expect(look.requests.all.map(\.isRetry) == [false, true])
    }

    @Test("Each fault of verifyReceipt that the simulator knows is in the table")
    func isComplete() {
        #expect(Set(SimulatedFault.all.map(\.name)).subtracting(Self.faults.map(\.name)) == [])
    }

    /// - Parameter timeout: in seconds, where only a timeout ends the attempt: long enough for a
    ///   slow machine to send the request.
    private func ask(_ fault: Fault, when: String, timeout: Int) async throws -> (
        QuestionResult, [AppleServer]
    ) {
        var settings = AppStoreSimulator.Settings()
        settings.faults = try FaultPlan(parsing: "\(fault.name):\(when)")
        settings.keepsRequests = true
        let simulator = try AppStoreSimulator.start(Self.store, settings)
        defer { simulator.stop() }
        let receipt = try #require(Self.receipt)
        let secrets = SimulatedApp.all.map { "\($0.bundle) = \($0.secret)" }
        let asking = try Asking.testing(secrets: secrets.joined(separator: "\n")) {
            $0.productionURL = simulator.productionURL
            $0.sandboxURL = simulator.sandboxURL
            $0.timeout = .seconds(fault.outcome == .unverified(.timeout) ? timeout : 50)
        }
        let look = try await asking.look(at: receipt.data, storedFor: BundleID(receipt.bundle))
        let asked = simulator.keptRequests.map { request in
            request.environment == .production ? AppleServer.production : .sandbox
        }
        return (look, asked)
    }
}

/// To add a case: of certificates a row with the host, the validity, and what the message says;
/// else an address in `connection`, with the cause of `unverified`.
@Suite("An Apple that cannot be reached", .hangLimit)
struct UnreachableTests {
    @Test("A missing server, host name, reply to the first packet, or TLS 1.2 is retried in vain")
    func connection() async throws {
        let hole = try BlackHole()
        let certificate = try TLSCertificate()
        let old = try TLSLoopbackServer(
            certificate, options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
        for url in [
            "http://127.0.0.1:\(try LoopbackSocket.closedPort())/",
            "http://127.0.0.1:\(hole.port)/", "https://localhost:\(old.port)/",
            // An empty label: the resolver itself refuses it, so no network is used.
            "http://no..such/",
        ] {
            let isHole = url.contains("\(hole.port)")
            // Only the hole meets its limit, however long that is.
            let report = try await report(
                from: url, trusting: certificate.file,
                connectTimeout: isHole ? .milliseconds(500) : .seconds(300))
            let cause: Unverified = isHole ? .timeout : .connectionFailed
            #expect(report.validation == .unverified(cause), "\(url)")
            #expect(report.requests.all.map(\.httpStatus) == [nil, nil])
        }
    }

    @Test(
        "A refused certificate ends the run at once, and the message says what to check",
        arguments: [
            ("127.0.0.1", .now, "no alternative certificate subject name matches"),
            ("localhost", .past, "certificate has expired"),
            ("localhost", .future, "certificate is not yet valid"),
            ("localhost", .now, "self-signed certificate"),
        ] as [(host: String, validity: TLSCertificate.Validity, reason: String)])
    func certificate(host: String, validity: TLSCertificate.Validity, reason: String) async throws {
        let certificate = try TLSCertificate(validity)
        let server = try TLSLoopbackServer(certificate)
        let url = "https://\(host):\(server.port)/?q=canary"
        // Only a certificate in the file is trusted.
        let file = reason.hasPrefix("self") ? nil : certificate.file
        let error = await #expect(throws: ValidationFailure.self) {
            try await report(from: url, trusting: file)
        }
        let words = error?.description ?? ""
        #expect(words.hasPrefix("The server's certificate is not trusted"))
        #expect(words.contains(reason), "\(words)")
        #expect(words.contains("Check the clock, --ca-file"), "\(words)")
        #expect(words.hasSuffix("between this machine and the server."))
        #expect(!words.contains("canary"), "a part of the URL's query")
    }

    private func report(
        from url: String, trusting file: String?, connectTimeout: Duration = .seconds(300)
    ) async throws -> ValidationReport {
        let asking = try Asking.testing {
            $0.productionURL = url
            $0.sandboxURL = url
            $0.connectTimeout = connectTimeout
            $0.timeout = .seconds(600)
            $0.certificateFile = file
        }
        return try await asking.report(on: TestDatabase.receipt("r"))
    }
}
