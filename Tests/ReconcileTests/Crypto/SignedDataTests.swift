import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A PKCS#7 signature")
struct SignedDataTests {
    private static let authority = ReceiptAuthority.shared
    private static let payload = ReceiptForge.payload()

    static let forms: [SignedForm] = [
        SignedForm(), SignedForm(digest: .sha1), SignedForm(isBER: true),
        SignedForm(hasAttributes: true),
        SignedForm(digest: .sha1, hasAttributes: true, isBER: true),
        SignedForm(hasAttributes: true, attributeBytes: 100),
        SignedForm(hasAttributes: true, attributeBytes: 300),
    ]

    private func reason(_ bytes: [UInt8]) throws -> SignatureError.Reason? {
        let signed = try SignedData(bytes)
        do throws(SignatureError) {
            _ = try signed.verifiedSigners()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "A signature fits its content in DER and BER, with SHA-1 and SHA-256",
        arguments: forms)
    func fits(form: SignedForm) throws {
        let signed = try SignedData(Self.authority.receipt(Self.payload, form))
        #expect(Array(signed.content) == Self.payload)
        #expect(signed.isBER == form.isBER)
        #expect(try signed.verifiedSigners().map(Array.init) == [Self.authority.signer.der])
        #expect(try signed.certificates().map(Array.init) == Self.authority.certificates.map(\.der))
    }

    @Test("A signature does not fit when any covered byte differs", arguments: forms)
    func altered(form: SignedForm) throws {
        let whole = Self.authority.receipt(Self.payload, form)
        let signer = Self.authority.signer
        let signature = try #require(try SignedData(whole).signers().first).signature
        var places: [(Int, SignatureError.Reason)] = [
            (try place(of: Array("acme".utf8), in: whole), .doesNotFit),
            // In the modulus of the signer's key.
            (try place(of: signer.key.publicInfo, in: whole) + 60, .doesNotFit),
            // In the serial number of the signer's certificate.
            (try place(of: signer.der, in: whole) + 14, .certificateMissing),
            // In the issuer's name within the signature, its last occurrence.
            (try lastPlace(of: signer.issuer, in: whole) + 15, .certificateMissing),
        ]
        if form.hasAttributes {
            let digest = form.digest.value(of: Self.payload)
            places.append((try place(of: digest, in: whole), .doesNotFit))
        }
        // In BER the content is in pieces, at other places.
        let content = form.isBER ? 0..<0 : try SignedData(whole).content.indices
        places += (Array(content) + Array(signature.indices)).map { ($0, .doesNotFit) }
        for (place, reason) in places {
            var bytes = whole
            bytes[place] ^= 1
            #expect(try self.reason(bytes) == reason, "byte \(place)")
            #expect(SignatureError(reason).provesTampering)
        }
    }

    @Test("The check says nothing about who signed or about the certificates above the signer's")
    func whoSigned() throws {
        let whole = Self.authority.receipt(Self.payload)
        for certificate in Self.authority.certificates {
            var bytes = whole
            // The certificate's last byte belongs to its issuer's signature.
            bytes[try place(of: certificate.der, in: whole) + certificate.der.count - 1] ^= 1
            #expect(try reason(bytes) == nil)
        }
    }

    @Test("A missing signature, or one of an unknown kind, is neither valid nor invalid")
    func undecided() throws {
        #expect(try reason(ReceiptForge.receipt(Self.payload)) == .unsigned)
        var bytes = Self.authority.receipt(Self.payload)
        // The digest algorithm occurs twice, and the signer's is the last: 2.16.840.1.101.3.4.2.1.
        let algorithm = SigningKey.Digest.sha256.algorithm
        bytes[try lastPlace(of: algorithm, in: bytes) + 12] = 0x7F
        #expect(try reason(bytes) == .algorithmUnsupported)
        for reason in [SignatureError.Reason.unsigned, .algorithmUnsupported] {
            #expect(!SignatureError(reason).provesTampering)
        }
    }

    @Test("Each signer's signature is checked, and more than sixteen are refused unread")
    func signers() throws {
        let other = TestCertificate("Other", serial: 9, key: Self.authority.middle.key)
        func container(_ signers: [TestCertificate]) -> [UInt8] {
            SignedForm().container(
                of: Self.payload, signedBy: signers, Self.authority.certificates + [other])
        }
        var both = container([Self.authority.signer, other])
        #expect(try SignedData(both).verifiedSigners().count == 2)
        both[both.count - 1] ^= 1
        #expect(try reason(both) == .doesNotFit)
        let many = Array(repeating: Self.authority.signer, count: 17)
        #expect(try reason(container(many)) == .algorithmUnsupported)
    }

    @Test("A file that ends too early, at any byte, has no signature to check")
    func truncated() {
        let whole = Self.authority.receipt(Self.payload)
        for count in 0..<whole.count {
            #expect(throws: DERError.self) { try SignedData(Array(whole[..<count])) }
        }
    }

    private func place(of part: [UInt8], in whole: [UInt8]) throws -> Int {
        try #require(whole.firstRange(of: part)).lowerBound
    }

    private func lastPlace(of part: [UInt8], in whole: [UInt8]) throws -> Int {
        try #require(whole.ranges(of: part).last).lowerBound
    }
}
