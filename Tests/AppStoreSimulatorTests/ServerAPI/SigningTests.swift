import Foundation
import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport

@Suite("The simulator's keys and signed strings")
struct SigningTests {
    /// RFC 6979, A.2.5.
    private static let documented = P256Key(
        secret: [
            0xC9, 0xAF, 0xA9, 0xD8, 0x45, 0xBA, 0x75, 0x16, 0x6B, 0x5C, 0x21, 0x57, 0x67, 0xB1,
            0xD6, 0x93, 0x4E, 0x50, 0xC3, 0xDB, 0x36, 0xE8, 0x9B, 0x12, 0x7B, 0x8A, 0x62, 0x2B,
            0x12, 0x0F, 0x67, 0x21,
        ])

    @Test(
        "Signatures are those of RFC 6979",
        arguments: [
            (
                message: "sample",
                r: "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
                s: "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
            ),
            (
                "test", "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
                "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
            ),
        ])
    func isDeterministic(message: String, r: String, s: String) {
        let signature = Self.documented.signature(of: Array(message.utf8))
        let text = signature.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(text == r + s)
    }

    @Test("A key accepts its signatures of the same message only")
    func verifies() {
        let key = Self.documented
        for number in 0..<64 {
            let message = Array("message \(number)".utf8)
            let signature = key.signature(of: message)
            #expect(key.hasSigned(message, signature))
            #expect(!key.hasSigned(message + [0], signature))
            #expect(!key.hasSigned(message, signature.reversed()))
        }
        #expect(!key.hasSigned([], []))
        #expect(!key.hasSigned([], [UInt8](repeating: 0, count: 64)))
    }

    @Test("OpenSSL reads the keys and the chain, and the chain ends at the root that is written")
    func isReadable() throws {
        let folder = try TemporaryFolder()
        for key in ThrowAwayAPIKey.all {
            try folder.write(key.pem, to: key.id)
            #expect(try openssl("pkey -in \(key.id) -noout -check", in: folder) == 0)
        }
        for root in ThrowAwayRoot.all { try folder.write(root.pem, to: root.name) }
        try folder.write(PEM.text("CERTIFICATE", ThrowAwayChain.intermediate), to: "intermediate")
        try folder.write(PEM.text("CERTIFICATE", ThrowAwayChain.signer), to: "signer")
        let verify = "verify -CAfile simulated-jws.pem -untrusted intermediate signer"
        #expect(try openssl(verify, in: folder) == 0)
    }

    private func openssl(_ words: String, in folder: TemporaryFolder) throws -> Int32 {
        let words = words.split(separator: " ").map(String.init)
        return try ChildProcess("/usr/bin/openssl", words, in: folder.path).wait()
    }

    @Test("A JWS is genuine under the simulator's root alone; a forgery and Xcode's are not")
    func isGenuine() throws {
        let payload = JSONFields([("signedDate", .number(1_790_000_000_000)), ("bundleId", .null)])
        func isGenuine(_ text: String, _ roots: [[UInt8]]) throws -> Bool {
            let jws = try #require(JWS(Array(text.utf8)))
            let verifier = JWSVerifier(TrustedRoots(roots))
            return verifier.verification(of: jws, now: Instant(milliseconds: 0)).isGenuine
        }
        let text = JWSMint.text(.object(payload))
        #expect(try isGenuine(text, [ThrowAwayChain.root]))
        #expect(try !isGenuine(text, [ThrowAwayAuthority.rootCertificate]))
        #expect(try !isGenuine(JWSMint.forgery(payload), [ThrowAwayChain.root]))
        #expect(try !isGenuine(JWSMint.ofXcode(.object(payload)), [ThrowAwayChain.root]))
    }
}
