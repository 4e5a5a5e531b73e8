import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A receipt that Apple calls malformed (21002)", .timeLimit(.minutes(10)))
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
        return try await validator.report(on: text).validation
    }

    @Test("The receipt is unverified while its signature fits its bytes")
    func fits() async throws {
        let outcome = try await outcome(of: Self.whole, answers: 21_002)
        #expect(outcome == .unverified(.malformedAccordingToApple))
    }

    @Test("The receipt is rejected when its signature does not fit its bytes")
    func doesNotFit() async throws {
        let outcome = try await outcome(of: try Self.altered("acme"), answers: 21_002)
        #expect(outcome == .rejected(.signature))
    }

    @Test("The receipt is not rejected when 21002 was not Apple's last answer")
    func otherEnding() async throws {
        let outcome = try await outcome(of: try Self.altered("acme"), answers: 21_002, 21_009)
        #expect(outcome == .unverified(.appleUnavailable))
    }

    @Test("The receipt is not rejected for a signature that cannot be checked")
    func cannotBeChecked() async throws {
        let apple = ReceiptAuthority.shared
        let payload = ReceiptForge.payload()
        let form = SignedForm()
        let many = Array(repeating: apple.middle, count: 16)
        var unknownKey = Self.whole
        // Changes the algorithm of the signer's key to an unknown one: 1.2.840.113549.1.1.99.
        let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 5, 0, 3]
        unknownKey[try #require(unknownKey.firstRange(of: rsa)).lowerBound + 8] = 99
        var signedForm = SignedForm()
        signedForm.hasAttributes = true
        var withoutType = signedForm.container(
            of: payload, signedBy: [apple.signer], apple.certificates)
        // Changes the attribute with the content type to another attribute.
        let type: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x03]
        withoutType[try #require(withoutType.firstRange(of: type)).lowerBound + 8] = 99
        for receipt in [
            form.container(of: payload, signedBy: [apple.signer], apple.certificates + many),
            form.container(
                of: payload, signedBy: Array(repeating: apple.signer, count: 17),
                apple.certificates),
            unknownKey, withoutType,
        ] {
            let outcome = try await outcome(of: receipt, answers: 21_002)
            #expect(outcome == .unverified(.malformedAccordingToApple))
        }
    }

    @Test("The receipt is rejected when the key that it names was damaged")
    func damagedKey() async throws {
        var bytes = Self.whole
        // The length within the signer's key.
        let key: [UInt8] = [0x01, 0x01, 0x01, 5, 0, 3]
        let place = try #require(bytes.firstRange(of: key)).upperBound
        bytes[place + 4] ^= 0xFF
        #expect(try await outcome(of: bytes, answers: 21_002) == .rejected(.signature))
    }

    @Test("The receipt is not rejected when it has no signature, or is no PKCS#7")
    func nothingToFit() async throws {
        let unsigned = try await outcome(
            of: ReceiptForge.receipt(ReceiptForge.payload()), answers: 21_002)
        #expect(unsigned == .unverified(.malformedAccordingToApple))
        let list = Array("{ \"signature\" = \"QUJD\"; \"purchase-info\" = \"e30=\"; }".utf8)
        let iOS6 = try await outcome(of: list, answers: 21_002)
        #expect(iOS6 == .unverified(.malformedAccordingToApple))
    }
}
