import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Apple's certificates")
struct AppleRootsTests {
    @Test("The files have the digests that their README gives")
    func digests() throws {
        let page = try SourceTree.file(at: "Sources/Reconcile/Validation/AppleRoots/README.md").text
        #expect(TrustedRoots.apple.certificates.count == 4)
        for certificate in TrustedRoots.apple.certificates {
            #expect(page.contains("`\(Digest.sha256(certificate).hexadecimal)`"))
            #expect(Certificate.isReadable(certificate[...]))
        }
        #expect(
            Digest.sha256(TrustedRoots.apple.certificates[0]).hexadecimal
                == "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024")
    }

    @Test("The intermediate certificates complete a chain to a root, and are no roots themselves")
    func onlyRootsEndChains() throws {
        let middle = try #require(TrustedRoots.apple.certificates.last)
        let marker = AppleSignature.marker
        // 2020-01-01, when both were valid.
        let chain = try TrustedRoots.apple.chain(
            from: middle[...], among: [], at: 1_577_836_800, marker: marker)
        #expect(chain.names.count == 2)
        #expect(!chain.signerIsMarked)
        #expect(throws: SignatureError.self) {
            try TrustedRoots([middle]).chain(
                from: middle[...], among: [], at: 1_577_836_800, marker: marker)
        }
    }

    @Test("--roots replaces them with files in PEM or DER, with several certificates in one")
    func files() {
        let authority = ReceiptAuthority.shared
        let pem = [authority.root, authority.middle].flatMap { certificate in
            Array("# a note\n-----BEGIN CERTIFICATE-----\n".utf8)
                + Base64.encode(certificate.der) + Array("\n-----END CERTIFICATE-----\n".utf8)
        }
        #expect(
            TrustedRoots.certificates(inFile: pem) == [authority.root.der, authority.middle.der])
        #expect(TrustedRoots.certificates(inFile: authority.root.der) == [authority.root.der])
        #expect(TrustedRoots.certificates(inFile: Array(pem.dropLast(30))) == nil)
        #expect(TrustedRoots.certificates(inFile: Array("hello".utf8)) == nil)
    }
}
