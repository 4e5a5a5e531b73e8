/// A request to validate a receipt: `{"receipt-data": "…"}` with an optional `user_id`.
package struct ValidationRequest: Sendable {
    let receipt: ReceiptData
    /// Nil: the receipt's digest is used instead.
    let user: UserID?

    /// A longer id may not fit into a PostgreSQL index.
    private static let mostBytesOfUser = 512
    package static let mostBytes = JSONScanner.maxBytes

    private enum Member: UInt8 { case other, receiptData, user }

    package init(_ body: [UInt8]) throws(BadRequest) {
        let result = body.withUnsafeBufferPointer { bytes -> Result<Self, BadRequest> in
            do throws(JSONError) {
                return try Self.read(bytes)
            } catch {
                return .failure(
                    error == .tooLarge ? .tooLarge : BadRequest("It is not JSON: \(error)."))
            }
        }
        self = try result.get()
    }

    private init(receipt: ReceiptData, user: UserID?) {
        self.receipt = receipt
        self.user = user
    }

    private static func read(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(JSONError) -> Result<Self, BadRequest> {
        var scanner = try JSONScanner(bytes) { key, bytes in
            if key.equals("receipt-data", in: bytes) { return Member.receiptData.rawValue }
            return (key.equals("user_id", in: bytes) ? Member.user : .other).rawValue
        }
        guard try scanner.peek() == UInt8(ascii: "{") else {
            _ = try scanner.value()
            return .failure(BadRequest("The request is not a JSON object."))
        }
        var receipt = JSONValue.absent
        var user = JSONValue.absent
        var members = try scanner.enterObject(since: scanner.keys.count)
        while let code = try scanner.nextMember(of: &members) {
            let value = try scanner.value()
            switch Member(rawValue: code) {
            case .receiptData: receipt = value
            case .user: user = value
            case .other, nil: break
            }
        }
        try scanner.finish()
        guard receipt.isString else {
            return .failure(BadRequest("`receipt-data` must be a string: the receipt in base64."))
        }
        guard user.isAbsent || user.kind == .null || user.isString else {
            return .failure(BadRequest("`user_id` must be a string."))
        }
        let name = user.isString ? user.string(in: bytes) : nil
        guard
            name.map({ (1...mostBytesOfUser).contains($0.utf8.count) && !$0.utf8.contains(0) })
                ?? true
        else {
            return .failure(
                BadRequest(
                    "`user_id` must have 1 to \(mostBytesOfUser) bytes of text and no NUL."))
        }
        return .success(
            Self(
                receipt: ReceiptData(text: receipt.resolved(in: bytes)),
                user: name.map { UserID($0) }))
    }
}
