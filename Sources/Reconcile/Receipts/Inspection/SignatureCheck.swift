/// Step 2: Apple signed the receipt, and it was not changed since.
struct SignatureCheck: Sendable {
    /// Nil unless Apple signed it.
    let chain: CertificateChain?
    let step: InspectionStep

    init(_ receipt: LocatedReceipt, by apple: AppleSignature) {
        do throws(SignatureError) {
            let chain = try apple.chain(of: receipt.form)
            self.chain = chain
            let time = receipt.form.signedAt.map { ", valid at \($0)" } ?? ""
            step = InspectionStep(
                .signature, .passed,
                chain.names.map(Self.shortName).joined(separator: " ← ") + time)
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

    /// The common name in `C=…,CN=…`, where `\` escapes a comma.
    static func shortName(_ name: String) -> String {
        guard let start = name.firstRange(of: "CN=")?.upperBound else { return name }
        var isEscaped = false
        return String(
            name[start...].prefix { character in
                defer { isEscaped = !isEscaped && character == "\\" }
                return character != "," || isEscaped
            })
    }
}
