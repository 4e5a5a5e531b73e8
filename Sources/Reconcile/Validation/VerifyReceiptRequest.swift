/// The body of one verifyReceipt request. Prints as `‹redacted›`: it holds the shared secret and
/// the receipt.
///
/// Keys have hyphens, unlike those of the answer, and the base64 has no line breaks. Source:
/// <https://developer.apple.com/documentation/appstorereceipts/requestbody>
struct VerifyReceiptRequest: CustomStringConvertible, CustomReflectable {
    let body: [UInt8]

    init(base64: [UInt8], secret: SharedSecret?) {
        var body: [UInt8] = []
        body.reserveCapacity(base64.count + 160)
        body += #"{"receipt-data": ""#.utf8
        body += base64
        if let secret {
            body += #"","password":""#.utf8
            for byte in secret.text.utf8 { Self.append(byte, to: &body) }
        }
        body += #"","exclude-old-transactions":false}"#.utf8
        self.body = body
    }

    var description: String { "‹redacted›" }
    var customMirror: Mirror { Mirror(self, children: [:]) }

    private static func append(_ byte: UInt8, to body: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): body += [UInt8(ascii: "\\"), byte]
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            body += Array(#"\u00"#.utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        default: body.append(byte)
        }
    }
}
