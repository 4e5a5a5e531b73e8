/// A receipt on its own, without Apple and without a network: five steps, and all its fields.
package struct Inspection: Sendable {
    package enum Form: String, Sendable {
        case app = "app_receipt"
        case iOS6 = "ios6_receipt"
    }

    package let form: Form
    /// All five, in their order.
    package let steps: [InspectionStep]
    /// Whose certificates lead from the signer to the root, the signer first. Empty unless the
    /// receipt is signed by Apple.
    package let certificates: [String]
    package let byteCount: Int
    package let digest: Digest
    /// Of an app receipt; nil when it has none that can be read.
    package let payload: ReceiptPayload?
    /// Of an iOS 6 receipt, by name: what its signature is over.
    package let fields: [(name: String, value: String)]
    /// What stands around that in an iOS 6 receipt: anybody may have written it.
    package let unsignedFields: [(name: String, value: String)]

    /// - Parameter file: what is stored or was sent: DER, BER, base64 or a property list.
    /// - Throws: `NotAReceipt` when there is no receipt in it.
    package init(_ file: [UInt8], _ question: InspectionQuestion) throws(NotAReceipt) {
        let receipt = try LocatedReceipt(file)
        let signature = AppleSignature(of: receipt, roots: question.roots)
        steps = [
            receipt.step, signature.step,
            BundleCheck(receipt, expected: question.bundle).step,
            VersionCheck(receipt, expected: question.appVersion).step,
            DeviceCheck(receipt, identifier: question.deviceIdentifier).step,
        ]
        certificates = signature.chain?.names ?? []
        (byteCount, digest) = (receipt.bytes.count, Digest.sha256(receipt.bytes))
        payload = receipt.payload
        switch receipt.form {
        case .app: (form, fields, unsignedFields) = (.app, [], [])
        case .iOS6(let list):
            form = .iOS6
            fields = list.info.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            unsignedFields = list.surroundings.sorted { $0.key < $1.key }
                .map { ($0.key, $0.value) }
        }
    }

    /// The first step that speaks against the receipt.
    package var failedStep: InspectionStep? { steps.first { $0.verdict == .failed } }

    /// Apple signed it, and no step that was asked for speaks against it. A receipt of which
    /// neither can be said is not genuine, and has no failed step.
    package var isGenuine: Bool {
        failedStep == nil && steps.contains { $0.name == .signature && $0.verdict == .passed }
    }
}

/// What to hold a receipt against. What is nil is not checked.
package struct InspectionQuestion: Sendable {
    package var bundle: BundleID?
    package var appVersion: String?
    /// 16 bytes on iOS, 6 on macOS.
    package var deviceIdentifier: [UInt8]?
    package var roots = TrustedRoots.apple

    package init() {}
}
