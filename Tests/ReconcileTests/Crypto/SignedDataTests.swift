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
        "A signature fits its content in DER and BER, and does not when any covered byte differs",
        arguments: forms)
    func fits(form: SignedForm) throws {
        let whole = Self.authority.receipt(Self.payload, form)
        let signer = Self.authority.signer
        let signed = try SignedData(whole)
        #expect(Array(signed.content) == Self.payload)
        #expect(signed.isBER == form.isBER)
        #expect(try signed.verifiedSigners().map(Array.init) == [signer.der])
        #expect(try signed.certificates().map(Array.init) == Self.authority.certificates.map(\.der))
        let signature = try #require(try signed.signers().first).signature
        // In BER the content is in pieces, at other places.
        let content = form.isBER ? 0..<0 : signed.content.indices
        var places = (Array(content) + Array(signature.indices)).map {
            ($0, SignatureError.Reason.doesNotFit)
        }
        places += [
            (try place(of: Array("acme".utf8), in: whole), .doesNotFit),
            // The modulus of the signer's key; the serial number of its certificate; the issuer's
            // name within the signature.
            (try place(of: signer.key.publicInfo, in: whole) + 60, .doesNotFit),
            (try place(of: signer.der, in: whole) + 14, .certificateMissing),
            (try lastPlace(of: signer.issuer, in: whole) + 15, .certificateMissing),
        ]
        if form.hasAttributes {
            let digest = form.digest.value(of: Self.payload)
            places.append((try place(of: digest, in: whole), .doesNotFit))
        }
        for (place, reason) in places {
            var bytes = whole
            bytes[place] ^= 1
            #expect(try self.reason(bytes) == reason, "byte \(place)")
            #expect(SignatureError(reason).provesTampering)
        }
    }

    @Test("Neither who signed is checked, nor certificates above the signer's, nor unknown kinds")
    func undecided() throws {
        var whole = Self.authority.receipt(Self.payload)
        for certificate in Self.authority.certificates {
            var bytes = whole
            // The certificate's last byte belongs to its issuer's signature.
            bytes[try place(of: certificate.der, in: whole) + certificate.der.count - 1] ^= 1
            #expect(try reason(bytes) == nil)
        }
        #expect(try reason(ReceiptForge.receipt(Self.payload)) == .unsigned)
        // The digest algorithm occurs twice, and the signer's is the last: 2.16.840.1.101.3.4.2.1.
        whole[try lastPlace(of: SigningKey.Digest.sha256.algorithm, in: whole) + 12] = 0x7F
        #expect(try reason(whole) == .algorithmUnsupported)
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
        for count in whole.indices {
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
