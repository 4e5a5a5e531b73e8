import Testing

@testable import Reconcile
@testable import TestSupport

/// Failures before the first byte of HTTP.
@Suite("An Apple that cannot be reached", .timeLimit(.minutes(10)))
struct UnreachableTests {
    @Test("A missing server, host name or reply to the first packet is retried in vain")
    func connection() async throws {
        let hole = try BlackHole()
        for (url, cause) in [
            ("http://127.0.0.1:\(try LoopbackSocket.closedPort())/", "connection_failed"),
            // An empty label: the resolver itself refuses it, so no network is used.
            ("http://no..such/", "connection_failed"),
            ("http://127.0.0.1:\(hole.port)/", "timeout"),
        ] {
            let report = try await report(from: url)
            #expect(report.validation.words == "unverified \(cause)", "\(url)")
            #expect(report.requests.sent == 2 && report.requests.httpStatuses.isEmpty)
        }
    }

    @Test("After fifty failed requests there is an outage, with libcurl's reason in the log")
    func outage() async throws {
        let changes = Shared<[PaceChange]>([])
        let url = "http://127.0.0.1:\(try LoopbackSocket.closedPort())/"
        let validator = try AppStoreValidator.quick(
            production: url, sandbox: url, change: { $0.maxAttempts = 1 },
            observe: { change in changes.update { $0.append(change) } })
        for number in 1...50 {
            let report = try await validator.report(on: TestDatabase.receipt("r\(number)"))
            #expect(report.validation == .unverified(.connectionFailed))
        }
        guard case .outageBegan(let cause) = changes.current.last else {
            Issue.record("\(changes.current)")
            return
        }
        #expect(cause.hasPrefix("curl 7: "), "\(cause)")
        #expect(!cause.contains("canary"))
        #expect(validator.foremostFailure?.contains(cause) == true)
    }

    @Test("A server without TLS 1.2 is retried in vain")
    func oldTLS() async throws {
        let certificate = try TLSCertificate()
        let server = try TLSLoopbackServer(
            certificate, options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
        let report = try await report(
            from: "https://localhost:\(server.port)/", trusting: certificate)
        #expect(report.validation.words == "unverified connection_failed")
        #expect(report.requests.sent == 2)
    }

    struct BadCertificate: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var host = "localhost"
        var validity: TLSCertificate.Validity = .now
        var isTrusted = true
        /// libcurl's message.
        let reason: String
    }

    @Test(
        "A refused certificate ends the run at once, and the message says what to check",
        arguments: [
            BadCertificate(
                testDescription: "wrong host", host: "127.0.0.1",
                reason: "no alternative certificate subject name matches"),
            BadCertificate(
                testDescription: "expired", validity: .past, reason: "certificate has expired"),
            BadCertificate(
                testDescription: "not yet valid", validity: .future,
                reason: "certificate is not yet valid"),
            BadCertificate(
                testDescription: "self-signed", isTrusted: false,
                reason: "self-signed certificate"),
        ])
    func certificate(bad: BadCertificate) async throws {
        let certificate = try TLSCertificate(bad.validity)
        let server = try TLSLoopbackServer(certificate)
        let error = await #expect(throws: ValidationFailure.self) {
            _ = try await report(
                from: "https://\(bad.host):\(server.port)/",
                trusting: bad.isTrusted ? certificate : nil)
        }
        let words = error?.description ?? ""
        #expect(words.hasPrefix("The server's certificate is not trusted"))
        #expect(words.contains(bad.reason), "\(words)")
        #expect(words.contains("Check the clock, --ca-file"))
    }

    private func report(
        from url: String, trusting certificate: TLSCertificate? = nil
    ) async throws -> ValidationReport {
        let validator = try AppStoreValidator.quick(production: url, sandbox: url) {
            $0.connectTimeout = url.contains("127.0.0.1") ? .milliseconds(500) : .seconds(20)
            $0.certificateFile = certificate?.file
        }
        return try await validator.report(on: TestDatabase.receipt("r"))
    }
}
