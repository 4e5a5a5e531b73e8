/// The check of one receipt without a network: five steps, and all fields.
package struct Inspection: Sendable {
    package enum Form: String, Sendable {
        case app = "app_receipt"
        case iOS6 = "ios6_receipt"
    }

    let form: Form
    let steps: [InspectionStep]
    /// The subjects from signer to root. Empty unless Apple signed the receipt.
    let certificates: [String]
    let byteCount: Int
    let digest: Digest
    /// Nil for an iOS 6 receipt and for unreadable attributes.
    let payload: ReceiptPayload?
    /// The signed fields of an iOS 6 receipt, sorted by name.
    let fields: [(name: String, value: String)]
    /// The fields outside an iOS 6 receipt's signature, sorted by name. Anyone may change them.
    let unsignedFields: [(name: String, value: String)]

    /// - Parameter file: a receipt as stored or sent: DER, BER, base64 or a property list.
    package init(_ file: [UInt8], _ question: InspectionQuestion) throws(NotAReceipt) {
        let receipt = try LocatedReceipt(file)
        let signature = SignatureCheck(receipt, by: AppleSignature(question.roots))
        steps = [
            receipt.step, signature.step,
            BundleCheck(receipt, expected: question.bundle ?? question.storedBundle).step,
            VersionCheck(receipt, expected: question.appVersion).step,
            DeviceCheck(receipt, identifier: question.deviceIdentifier).step,
        ]
        certificates = signature.chain?.names ?? []
        byteCount = receipt.bytes.count
        digest = Digest.sha256(receipt.bytes)
        payload = receipt.payload
        switch receipt.form {
        case .app:
            form = .app
            fields = []
            unsignedFields = []
        case .iOS6(let list):
            form = .iOS6
            fields = list.info.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            unsignedFields = list.surroundings.sorted { $0.key < $1.key }
                .map { ($0.key, $0.value) }
        }
    }

    package var failedStep: InspectionStep? { steps.first { $0.result == .failed } }

    /// Whether Apple signed the receipt and no step failed. False also when the signature could not
    /// be checked; then `failedStep` is nil.
    package var isGenuine: Bool {
        failedStep == nil && steps.contains { $0.name == .signature && $0.result == .passed }
    }
}

/// The expected values to compare a receipt with. A nil value is not checked.
package struct InspectionQuestion: Sendable {
    package var bundle: BundleID?
    /// The app that it is stored for, in place of `bundle`. A JWS that names no app is not compared
    /// with it.
    package var storedBundle: BundleID?
    package var appVersion: String?
    package var deviceIdentifier: [UInt8]?
    package var roots = TrustedRoots.apple

    package init() {}
}
