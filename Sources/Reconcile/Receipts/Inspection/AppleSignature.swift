/// Step 2: Apple signed the receipt, and it was not changed since.
///
/// The signature fits the bytes; the chain of certificates ends in a trusted root and was valid
/// when the receipt was made; the signer has Apple's marker. Without the marker, any developer's
/// certificate under the same authority would pass.
struct AppleSignature: Sendable {
    let chain: CertificateChain?
    let step: InspectionStep

    /// OID of the extension in Apple's certificates that sign receipts.
    static let marker = "1.2.840.113635.100.6.11.1"
    /// The same of the signers of iOS 6 receipts under "Apple iTunes Store Certification
    /// Authority", 2009 to 2016.
    static let oldMarker = "1.2.840.113635.100.6.5.1"

    init(of receipt: LocatedReceipt, roots: TrustedRoots) {
        do throws(SignatureError) {
            let (signer, others) = try Self.signer(of: receipt)
            guard let time = Self.signingTime(of: receipt) else { throw SignatureError(.undated) }
            let chain = try roots.chain(
                from: signer, among: others, at: time.milliseconds / 1_000,
                markers: Self.markers(of: receipt))
            guard chain.signerIsMarked else { throw SignatureError(.wrongPurpose) }
            self.chain = chain
            step = InspectionStep(
                .signature, .passed,
                chain.names.map(Self.shortName).joined(separator: " ← ") + ", valid at \(time)")
        } catch {
            chain = nil
            step = Self.refusal(of: receipt, error.reason)
        }
    }

    /// An iOS 6 receipt holds only its signer's certificate: an incomplete chain proves nothing.
    private static func refusal(
        of receipt: LocatedReceipt, _ reason: SignatureError.Reason
    ) -> InspectionStep {
        guard case .iOS6 = receipt.form, reason == .issuerMissing else {
            return InspectionStep(.signature, .failed, reason.inWords)
        }
        return InspectionStep(
            .signature, .notChecked,
            "its signature fits, but the authority above its signer is not known here: put its"
                + " certificate and the root into a folder and name it with --roots")
    }

    private static func signer(
        of receipt: LocatedReceipt
    ) throws(SignatureError) -> (ArraySlice<UInt8>, others: [ArraySlice<UInt8>]) {
        switch receipt.form {
        case .iOS6(let receipt): return (try receipt.verifiedSigner(), [])
        case .app(let signed, _): return (try signed.onlySigner(), signed.others)
        }
    }

    private static func markers(of receipt: LocatedReceipt) -> [String] {
        switch receipt.form {
        case .iOS6: [marker, oldMarker]
        case .app: [marker]
        }
    }

    private static func signingTime(of receipt: LocatedReceipt) -> Instant? {
        switch receipt.form {
        case .iOS6(let receipt): receipt.purchasedAt
        case .app(_, let payload): payload?.createdAt
        }
    }

    /// The common name in `C=…,CN=…`, where `\` escapes a comma.
    private static func shortName(_ name: String) -> String {
        guard let start = name.firstRange(of: "CN=")?.upperBound else { return name }
        var isEscaped = false
        return String(
            name[start...].prefix { character in
                defer { isEscaped = !isEscaped && character == "\\" }
                return character != "," || isEscaped
            })
    }
}
