/// The body of one verifyReceipt answer, read once. Everything but `status` may be missing.
///
/// Shapes: <https://developer.apple.com/documentation/appstorereceipts/responsebody>, and what
/// has been seen beyond it: numbers for strings, strings for numbers, one object for an array.
struct VerifyReceiptAnswer: Equatable, Sendable {
    let status: ReceiptStatus
    /// Nil when missing, or neither of the two names.
    let environment: StoreEnvironment?
    /// `is_retryable`, or `is-retryable` in older answers.
    let isRetryable: Bool?
    /// The Java class that Apple names in some errors.
    let exception: String?
    /// Nil unless the status is one of a valid receipt and the answer holds one with a bundle id.
    let receipt: Receipt?

    enum Unreadable: Error, Equatable {
        case json(JSONError)
        /// Whole JSON, but not an object with a `status` that is a whole number.
        case noStatus
    }

    /// Reads `body`, which came from `server`.
    static func read(
        _ body: [UInt8], from server: StoreEnvironment
    ) throws(Unreadable) -> VerifyReceiptAnswer {
        let result = body.withUnsafeBufferPointer {
            bytes -> Result<VerifyReceiptAnswer, Unreadable> in
            do throws(JSONError) {
                return try read(bytes, from: server).map(Result.success) ?? .failure(.noStatus)
            } catch {
                return .failure(.json(error))
            }
        }
        return try result.get()
    }

    /// The text of `latest_receipt`; nil without one that is not empty. Apart from `read`: only few
    /// answers are asked for it.
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
        _ bytes: UnsafeBufferPointer<UInt8>, from server: StoreEnvironment
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
                .receipt(from: environment ?? server)
        }
        return VerifyReceiptAnswer(
            status: ReceiptStatus(rawValue: status), environment: environment,
            isRetryable: lines.isRetryable ?? lines.isRetryableHyphenated,
            exception: lines.exception?.string(in: bytes),
            receipt: receipt)
    }
}
