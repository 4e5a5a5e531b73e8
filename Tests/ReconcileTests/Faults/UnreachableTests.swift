import Testing

@testable import Reconcile
@testable import TestSupport

/// Failures before the first byte of HTTP.
@Suite("An Apple that cannot be reached", .timeLimit(.minutes(10)))
struct UnreachableTests {
    @Test("A missing server, host name, reply to the first packet, or TLS 1.2 is retried in vain")
    func connection() async throws {
        let hole = try BlackHole()
        let certificate = try TLSCertificate()
        let old = try TLSLoopbackServer(
            certificate, options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
        for (url, cause) in [
            ("http://127.0.0.1:\(try LoopbackSocket.closedPort())/", "connection_failed"),
            // An empty label: the resolver itself refuses it, so no network is used.
            ("http://no..such/", "connection_failed"),
            ("http://127.0.0.1:\(hole.port)/", "timeout"),
            ("https://localhost:\(old.port)/", "connection_failed"),
        ] {
            let report = try await report(from: url, trusting: certificate)
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
        #expect(cause.hasPrefix("curl 7: ") && !cause.contains("canary"), "\(cause)")
        #expect(validator.foremostFailure?.contains(cause) == true)
    }

    @Test(
        "A refused certificate ends the run at once, and the message says what to check",
        arguments: [
            ("127.0.0.1", .now, "no alternative certificate subject name matches"),
            ("localhost", .past, "certificate has expired"),
            ("localhost", .future, "certificate is not yet valid"),
            ("localhost", .now, "self-signed certificate"),
        ] as [(String, TLSCertificate.Validity, String)])
    func certificate(host: String, validity: TLSCertificate.Validity, reason: String) async throws {
        let certificate = try TLSCertificate(validity)
        let server = try TLSLoopbackServer(certificate)
        let error = await #expect(throws: ValidationFailure.self) {
            // Only a certificate in the file is trusted.
            _ = try await report(
                from: "https://\(host):\(server.port)/",
                trusting: reason.hasPrefix("self") ? nil : certificate)
        }
        let words = error?.description ?? ""
        #expect(words.hasPrefix("The server's certificate is not trusted"))
        #expect(words.contains(reason) && words.contains("Check the clock, --ca-file"), "\(words)")
    }

    private func report(
        from url: String, trusting certificate: TLSCertificate?
    ) async throws -> ValidationReport {
        let validator = try AppStoreValidator.quick(production: url, sandbox: url) {
            $0.connectTimeout = url.contains("127.0.0.1") ? .milliseconds(500) : .seconds(20)
            $0.certificateFile = certificate?.file
        }
        return try await validator.report(on: TestDatabase.receipt("r"))
    }
}
