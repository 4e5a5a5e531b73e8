import Testing

@testable import Reconcile
@testable import TestSupport

/// Who signed an iOS 6 receipt, by which of Apple's markers.
struct OldSigner: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let marker: [UInt8]?
    let isGenuine: Bool
}

/// To add a case: an `OldSigner` with the marker in its certificate, and whether what it signs is
/// genuine.
@Suite("Receipts signed under Apple iTunes Store Certification Authority, 2009 to 2016")
struct OldAuthorityTests {
    private static let root = ReceiptAuthority.shared.root
    private static let store = TestCertificate(
        "Test iTunes Store", serial: 4, by: root, isAuthority: true)

    private static func signer(_ marker: [UInt8]?) -> TestCertificate {
        TestCertificate(
            "Test Purchase Receipts", serial: 5, by: store, isMarked: marker != nil,
            marker: marker ?? [])
    }

    @Test(
        "An iOS 6 receipt needs the marker of its time, the old or the new one",
        arguments: [
            OldSigner(
                testDescription: "the old marker", marker: TestCertificate.oldMarker,
                isGenuine: true),
            OldSigner(
                testDescription: "the marker of later signers", marker: TestCertificate.marker,
                isGenuine: true),
            OldSigner(testDescription: "no marker", marker: nil, isGenuine: false),
        ])
    func ofIOS6(signer: OldSigner) throws {
        let roots = TrustedRoots([Self.root.der, Self.store.der])
        let bytes = IOS6Forge.receipt(by: Self.signer(signer.marker))
        let inspection = try Inspection(bytes, .asking(trusting: roots))
        #expect(inspection.isGenuine == signer.isGenuine)
        #expect(try contradictsRefusal(bytes, trusting: roots) == signer.isGenuine)
    }

    @Test("The old marker says nothing for a PKCS#7 receipt")
    func ofApp() throws {
        let signer = Self.signer(TestCertificate.oldMarker)
        let payload = PayloadForge().encoded
        let bytes = SignedForm().container(
            of: payload, signedBy: [signer], [signer, Self.store, Self.root])
        let inspection = try Inspection(bytes, .asking(trusting: TrustedRoots([Self.root.der])))
        #expect(inspection.failedStep?.detail == SignatureError.Reason.wrongPurpose.inWords)
        #expect(!inspection.isGenuine)
    }

    @Test("The authority is among the certificates of the program, and ends in Apple's root")
    func isKnown() throws {
        let chains = TrustedRoots.apple.certificates.compactMap { certificate in
            // 2014-01-01, when it was valid.
            try? TrustedRoots.apple.chain(
                from: certificate[...], among: [], at: 1_388_534_400,
                markers: [SignedReceipt.marker])
        }
        let names = chains.compactMap(\.names.first)
        #expect(names.contains { $0.contains("CN=Apple iTunes Store Certification Authority") })
    }
}
