/// Step 1: the file holds a readable receipt.
struct LocatedReceipt: Sendable {
    let form: SignedReceipt
    let bytes: [UInt8]
    private let wasBase64: Bool

    /// DER or BER, an iOS 6 property list, or base64 of either, repaired as for Apple.
    init(_ file: [UInt8]) throws(NotAReceipt) {
        if let form = SignedReceipt(file) {
            self.form = form
            bytes = file
            wasBase64 = false
            return
        }
        let reading = file.firstReading { text -> (SignedReceipt, [UInt8])? in
            Base64.decode(text).flatMap { text in
                SignedReceipt(text.bytes).map { ($0, text.bytes) }
            }
        }
        guard let reading else { throw NotAReceipt(file) }
        form = reading.0
        bytes = reading.1
        wasBase64 = true
    }

    var payload: ReceiptPayload? {
        if case .app(_, let payload) = form { return payload }
        return nil
    }

    var step: InspectionStep {
        let size = "\(bytes.count) bytes" + (wasBase64 ? ", sent as base64" : "")
        switch form {
        case .iOS6: return InspectionStep(.located, .passed, "an iOS 6 receipt of \(size)")
        case .app(let signed, let payload):
            let what = "a PKCS#7 (\(signed.isBER ? "BER" : "DER")) of \(size)"
            guard let payload else {
                return InspectionStep(
                    .located, .failed, "\(what), whose attributes are damaged")
            }
            var notes: [String] = []
            if signed.trailingBytes > 0 {
                notes.append("\(signed.trailingBytes) bytes after its end belong to nothing")
            }
            let unreadable =
                payload.unreadable + payload.purchases.reduce(0) { $0 + $1.unreadable }
            if unreadable > 0 { notes.append("\(unreadable) of its attributes cannot be read") }
            let detail = (["\(what), with \(payload.purchases.count) in-app purchases"] + notes)
            return InspectionStep(.located, .passed, detail.joined(separator: "; "))
        }
    }
}

/// The file holds no receipt. The description says what it seems to hold.
package struct NotAReceipt: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ file: [UInt8]) {
        let data = ReceiptData(text: file)
        switch LocalReceipt(data) {
        case .unusable(.empty):
            description = "It is empty. Ask the app to send its receipt again."
        case .signed:
            description =
                "It looks like a StoreKit 2 JWS, but is none: its header or payload is not a JSON"
                + " object in base64url. It was cut off, changed, or encoded once more. Give the"
                + " JWS alone, or ask the app to send it again."
        default:
            description =
                "It is no receipt, or only a part of one: neither PKCS#7 with a receipt's"
                + " attributes nor an iOS 6 property list, nor base64 of either, nor a JWS. Give"
                + " the receipt alone, without PEM lines, JSON or a byte-order mark around it, or"
                + " ask the app to send it again."
        }
    }
}
