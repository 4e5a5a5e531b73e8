/// Step 5: the receipt was made for the given device. The hash is SHA-1 over the device's
/// identifier, the opaque value and the encoded bundle identifier.
struct DeviceCheck: Sendable {
    let payload: ReceiptPayload?
    /// iOS: the 16 bytes of `identifierForVendor`; macOS: the 6 bytes of the first network card.
    /// Nil when no device was given.
    let identifier: [UInt8]?

    init(_ receipt: LocatedReceipt, identifier: [UInt8]?) {
        payload = receipt.payload
        self.identifier = identifier
    }

    var step: InspectionStep {
        guard let identifier else {
            return InspectionStep(
                .device, .notChecked, "only who knows the device's identifier can tell: --guid")
        }
        guard let payload else {
            return InspectionStep(.device, .notChecked, "a receipt of this form has no device hash")
        }
        guard let opaque = payload.opaqueValue, let bundle = payload.bundleBytes,
            let hash = payload.deviceHash
        else {
            return InspectionStep(.device, .failed, "the receipt has no device hash")
        }
        return SHA1.value(of: identifier + opaque + bundle)[...] == hash
            ? InspectionStep(.device, .passed, "the receipt was made for this device")
            : InspectionStep(.device, .failed, "the receipt was made for another device")
    }
}
