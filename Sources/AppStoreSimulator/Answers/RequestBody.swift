struct RequestBody {
    private(set) var receiptData: [UInt8] = []
    private(set) var password: [UInt8]?
    private(set) var excludesOld = false
    private(set) var keys: [[UInt8]] = []

    /// Nil unless the body is a JSON object of strings and words.
    init?(_ bytes: [UInt8]) {
        var reader = JSONReader(bytes: bytes)
        guard reader.take(UInt8(ascii: "{")) else { return nil }
        if reader.take(UInt8(ascii: "}")) { return }
        repeat {
            guard let key = reader.string(), reader.take(UInt8(ascii: ":")) else { return nil }
            let text = reader.isAtString ? reader.string() : reader.word()
            guard let text else { return nil }
            keys.append(key)
            if key.elementsEqual("receipt-data".utf8) { receiptData = text }
            if key.elementsEqual("password".utf8) { password = text }
            if key.elementsEqual("exclude-old-transactions".utf8) {
                excludesOld = text.elementsEqual("true".utf8)
            }
        } while reader.take(UInt8(ascii: ","))
        guard reader.take(UInt8(ascii: "}")), reader.isAtEnd else { return nil }
    }
}
