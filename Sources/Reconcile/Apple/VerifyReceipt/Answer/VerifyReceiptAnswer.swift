/// The parsed body of one verifyReceipt answer. All keys but `status` may be missing.
///
/// Format: <https://developer.apple.com/documentation/appstorereceipts/responsebody>. Real answers
/// also have numbers for strings, strings for numbers, and one object for an array.
struct VerifyReceiptAnswer: Equatable, Sendable {
    let status: ReceiptStatus
    /// Nil when missing or unknown.
    let environment: StoreEnvironment?
    let isRetryable: Bool?
    /// A Java class name that Apple sends with some errors.
    let exception: String?
    /// Nil unless the status means a valid receipt and the answer holds one with a bundle id.
    let receipt: Receipt?

    enum Unreadable: Error, Equatable {
        case json(JSONError)
        /// Valid JSON, but not an object with a whole number as `status`.
        case noStatus
    }

    /// - Parameter own: the environment of the server, for an answer that names none.
    static func read(
        _ body: [UInt8], from own: StoreEnvironment
    ) throws(Unreadable) -> VerifyReceiptAnswer {
        let result = body.withUnsafeBufferPointer {
            bytes -> Result<VerifyReceiptAnswer, Unreadable> in
            do throws(JSONError) {
                return try read(bytes, from: own).map(Result.success) ?? .failure(.noStatus)
            } catch {
                return .failure(.json(error))
            }
        }
        return try result.get()
    }

    /// The value of `latest_receipt`; nil when absent or empty. Not in `read`: few callers need it.
    static func latestReceipt(in body: [UInt8]) -> [UInt8]? {
        body.withUnsafeBufferPointer { bytes in
            guard var scanner = try? JSONScanner(bytes, naming: AnswerKey.code),
                var members = try? scanner.enterObject(since: 0)
            else { return nil }
            while let code = try? scanner.nextMember(of: &members) {
                guard let value = try? scanner.value() else { return nil }
                guard code == AnswerKey.latestReceipt.rawValue else { continue }
                return value.text?.resolved(in: bytes)
            }
            return nil
        }
    }

    private static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, from own: StoreEnvironment
    ) throws(JSONError) -> VerifyReceiptAnswer? {
        var scanner = try JSONScanner(bytes, naming: AnswerKey.code)
        guard try scanner.peek() == UInt8(ascii: "{") else {
            _ = try scanner.value()
            try scanner.finish()
            return nil
        }
        var lines = AnswerLines()
        try lines.read(from: &scanner)
        try scanner.finish()
        guard let status = lines.status else { return nil }
        let environment = lines.environment
            .flatMap { StoreEnvironment(rawValue: $0.string(in: bytes)) }
        var receipt: Receipt?
        if ReceiptStatus(rawValue: status).isValid {
            receipt = ReceiptAssembly(lines: lines, bytes: bytes)
                .receipt(from: environment ?? own)
        }
        return VerifyReceiptAnswer(
            status: ReceiptStatus(rawValue: status), environment: environment,
            isRetryable: lines.isRetryable ?? lines.isRetryableHyphenated,
            exception: lines.exception?.string(in: bytes),
            receipt: receipt)
    }
}

/// The `status` of an answer; `AppleStatus` lists the meanings.
struct ReceiptStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int

    /// 0, or 21006: valid, and the subscription has expired (iOS 6 answers only).
    var isValid: Bool { rawValue == 0 || rawValue == 21006 }
}
