import Testing

@testable import Reconcile

/// To add a case: a test with a question, and which bytes it holds once it is compact.
@Suite("A question that is kept for long")
struct QuestionTests {
    private let bytes = Array("receipt".utf8)

    private func receipt(_ bytes: [UInt8]) -> SendableReceipt {
        SendableReceipt(base64: Base64.encode(bytes), bytes: bytes, bundle: "acme")
    }

    private func address(_ bytes: [UInt8]) -> UnsafeRawPointer? {
        bytes.withUnsafeBytes(\.baseAddress)
    }

    @Test("It shares the bytes of a receipt that is held already, so that they are held once")
    func sharing() {
        let held = receipt(bytes)
        let read = receipt(bytes.map { $0 })
        let question = Question(read, storedFor: "acme").compact(sharing: held)
        #expect(address(read.bytes) != address(held.bytes))
        #expect(address(question.receipt?.bytes ?? []) == address(held.bytes))
    }

    @Test("It keeps the receipt that it is about, when another one is held")
    func other() {
        let question = Question(receipt([1]), storedFor: "acme").compact(sharing: receipt(bytes))
        #expect(question.receipt?.bytes == [1])
        #expect(question.receipt?.base64 == Base64.encode([1]))
    }
}
