import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The trust of an HTTP client", .timeLimit(.minutes(10)))
struct HTTPTrustTests {
    private let certificate: TLSCertificate

    init() throws { certificate = try TLSCertificate() }

    @Test("A certificate of the CA file for the right host is accepted")
    func trusted() async throws {
        let server = try TLSLoopbackServer(certificate)
        let client = try HTTPClientTests.client(certificateFile: certificate.file)
        let response = try await client.post(
            [1], to: "https://localhost:\(server.port)/", timeout: .seconds(20))
        #expect(response.body == Array("ok".utf8))
    }

    @Test("A self-signed certificate, and one for another host, are refused")
    func refused() async throws {
        let selfSigned = await failure(host: "localhost", certificateFile: nil)
        #expect(selfSigned?.reason == .certificate)
        #expect(selfSigned?.description.contains("self-signed certificate") == true)
        let wrongHost = await failure(host: "127.0.0.1", certificateFile: certificate.file)
        #expect(wrongHost?.reason == .certificate)
    }

    @Test("A CA file without a certificate is refused")
    func badFile() async throws {
        let error = await failure(host: "localhost", certificateFile: "/dev/null")
        #expect(error?.reason == .certificate)
    }

    @Test("TLS 1.1 is refused")
    func oldVersion() async throws {
        let error = await failure(
            host: "localhost", certificateFile: certificate.file,
            options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
        #expect(error?.reason == .tls)
    }

    private func failure(
        host: String, certificateFile: String?, options: [String] = []
    ) async -> HTTPError? {
        do {
            let server = try TLSLoopbackServer(certificate, options: options)
            let client = try HTTPClientTests.client(certificateFile: certificateFile)
            _ = try await client.post(
                [1], to: "https://\(host):\(server.port)/", timeout: .seconds(20))
            return nil
        } catch {
            return error as? HTTPError
        }
    }
}
