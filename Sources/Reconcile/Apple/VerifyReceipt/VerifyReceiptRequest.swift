/// The body of one request, with secret and receipt: prints as `‹redacted›`.
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
            body += #"","password":"#.utf8
            body.append(jsonString: secret.text)
        } else {
            body.append(UInt8(ascii: "\""))
        }
        body += #","exclude-old-transactions":false}"#.utf8
        self.body = body
    }

    var description: String { "‹redacted›" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
