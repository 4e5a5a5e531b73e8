package enum ExportedReceipt {
    /// A JSON object and a line feed. `receipt_data` is base64, as it is stored and sent.
    package static func line(_ receipt: KeptReceipt) -> [UInt8] {
        let data = String(decoding: Base64.encode(receipt.bytes), as: UTF8.self)
        return PrintedJSON.object([
            ("user_id", .string(receipt.user.text)), ("bundle_id", .string(receipt.bundle.text)),
            ("environment", .string(receipt.environment.rawValue)),
            ("receipt_id", .string(receipt.receipt.text)),
            ("made_at", .string(receipt.madeAt.description)), ("receipt_data", .string(data)),
        ]).compact + [UInt8(ascii: "\n")]
    }
}
