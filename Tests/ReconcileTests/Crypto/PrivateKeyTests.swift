import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a refused text: a row with a label and the PEM text.
@Suite("A private key on P-256")
struct PrivateKeyTests {
    private static let signing = SigningKey(on: .p256)
    private static let pem = TestCertificate.pem("PRIVATE KEY", signing.pkcs8)

    @Test("What it signs verifies by its public key, as r and s of 32 bytes each")
    func signs() throws {
        let key = try #require(PrivateKey(pem: Self.pem))
        let authority = JWSAuthority.shared
        let certificate = JWSAuthority.signer(key: Self.signing, by: authority.intermediate)
        let own = try PublicKey(ofCertificate: certificate.der[...])
        let others = try PublicKey(ofCertificate: authority.signer.der[...])
        // One signature in 128 has a number of fewer bytes, which is filled with zeros.
        for number in 0..<600 {
            let message = Array("message \(number)".utf8)
            let signature = key.signES256(message)
            #expect(signature.count == 64)
            #expect(throws: Never.self) { try own.verifyES256(signature[...], of: message[...]) }
            #expect(throws: SignatureError.self) {
                try others.verifyES256(signature[...], of: message[...])
            }
        }
    }

    @Test("White space around the lines, CRLF and text outside the block do not count")
    func lenient() {
        let lines = Self.pem.split(separator: "\n").map { " \($0)\t" }
        #expect(PrivateKey(pem: lines.joined(separator: "\r\n")) != nil)
        #expect(PrivateKey(pem: "Key ABC123\n\n" + Self.pem + "\nend\n") != nil)
    }

    /// A text that is no key on P-256.
    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pem: String
    }

    private static func other(_ label: String, _ der: [UInt8]) -> Refused {
        Refused(testDescription: label, pem: TestCertificate.pem("PRIVATE KEY", der))
    }

    @Test(
        "Any other key, and a damaged text, is refused",
        arguments: [
            other("RSA", SigningKey().pkcs8), other("P-384", SigningKey(on: .p384).pkcs8),
            other("another curve of 256 bits", SigningKey(on: .secp256k1).pkcs8),
            other("a public key", signing.publicInfo), other("nothing", []),
            other("cut short", signing.pkcs8.dropLast(20)),
            other("another byte at the start", [0x31] + signing.pkcs8.dropFirst()),
            Refused(testDescription: "no text", pem: ""),
            Refused(testDescription: "only the begin", pem: "-----BEGIN PRIVATE KEY-----\n"),
            Refused(
                testDescription: "without the end",
                pem: pem.replacing("-----END PRIVATE KEY-----", with: "")),
            Refused(
                testDescription: "the end before the begin",
                pem: "-----END PRIVATE KEY-----\n-----BEGIN PRIVATE KEY-----\n"),
            Refused(testDescription: "a digit that is none", pem: pem.replacing("M", with: "%")),
            Refused(
                testDescription: "the label of an encrypted key",
                pem: TestCertificate.pem("ENCRYPTED PRIVATE KEY", signing.pkcs8)),
            Refused(
                testDescription: "the label of a key in SEC 1",
                pem: TestCertificate.pem("EC PRIVATE KEY", signing.pkcs8)),
        ])
    func refused(row: Refused) {
        #expect(PrivateKey(pem: row.pem) == nil)
    }

    @Test("A key that is encrypted is refused, also under the label of one that is not")
    func encrypted() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.pem, to: "key.p8")
        let openssl = try ChildProcess(
            "/usr/bin/openssl", ["pkcs8", "-topk8", "-in", file, "-passout", "pass:secret"])
        let text = String(decoding: try openssl.output.readToEnd() ?? Data(), as: UTF8.self)
        #expect(openssl.wait() == 0)
        #expect(text.contains("BEGIN ENCRYPTED PRIVATE KEY"))
        #expect(PrivateKey(pem: text) == nil)
        #expect(PrivateKey(pem: text.replacing("ENCRYPTED ", with: "")) == nil)
    }

    @Test("It is never printed")
    func printed() throws {
        let key = try #require(PrivateKey(pem: Self.pem))
        var texts = ["\(key)", String(reflecting: key), "\([key])", ""]
        dump(key, to: &texts[3])
        for text in texts { #expect(text.contains("‹redacted›"), "\(text)") }
    }
}
