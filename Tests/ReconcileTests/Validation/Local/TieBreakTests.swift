import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A receipt that Apple calls malformed", .timeLimit(.minutes(5)))
struct TieBreakTests {
    private static let whole = ReceiptAuthority.shared.receipt(ReceiptForge.payload())

    private static func altered(_ part: String) throws -> [UInt8] {
        var bytes = whole
        bytes[try #require(bytes.firstRange(of: Array(part.utf8))).lowerBound] ^= 1
        return bytes
    }

    private func outcome(of receipt: [UInt8], answers: Int...) async throws -> Validation {
        let apple = try ScriptedApple { ask in
            [.reply(AppleAnswer.status(answers[min(ask.attempt, answers.count) - 1]))]
        }
        let validator = try AppStoreValidator.asking(apple)
        let text = String(decoding: Base64.encode(receipt), as: UTF8.self)
        return try await validator.validate(try validator.question(text)).validation
    }

    @Test("is not verified, and no more, while its signature fits its own bytes")
    func fits() async throws {
        let outcome = try await outcome(of: Self.whole, answers: 21_002)
        #expect(outcome == .unverified(.malformedAccordingToApple))
    }

    @Test("is rejected when its signature does not fit its own bytes")
    func doesNotFit() async throws {
        let outcome = try await outcome(of: try Self.altered("acme"), answers: 21_002)
        #expect(outcome == .rejected(.signature))
    }

    @Test("is not rejected when that was not Apple's last word")
    func otherEnding() async throws {
        let outcome = try await outcome(of: try Self.altered("acme"), answers: 21_002, 21_009)
        #expect(outcome == .unverified(.appleUnavailable))
    }

    @Test("is not rejected when nothing signed it, or when it is no PKCS#7")
    func nothingToFit() async throws {
        let unsigned = try await outcome(
            of: ReceiptForge.receipt(ReceiptForge.payload()), answers: 21_002)
        #expect(unsigned == .unverified(.malformedAccordingToApple))
        let list = Array("{ \"signature\" = \"QUJD\"; \"purchase-info\" = \"e30=\"; }".utf8)
        let iOS6 = try await outcome(of: list, answers: 21_002)
        #expect(iOS6 == .unverified(.malformedAccordingToApple))
    }
}
