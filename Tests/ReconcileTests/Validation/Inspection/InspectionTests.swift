import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The inspection of a receipt")
struct InspectionTests {
    private static let apple = ReceiptAuthority.shared
    private static let device: [UInt8] = Array(1...16)

    private static func receipt(_ form: SignedForm = SignedForm()) -> [UInt8] {
        var payload = PayloadForge(purchases: [PayloadForge.purchase(), PayloadForge.purchase()])
        payload.deviceHash = SHA1.value(of: device + payload.opaque + ReceiptForge.text("acme"))
        return apple.receipt(payload.encoded, form)
    }

    private func verdicts(
        _ file: [UInt8], change: (inout InspectionQuestion) -> Void = { _ in }
    ) throws -> String {
        var question = InspectionQuestion.testing
        change(&question)
        let steps = try Inspection(file, question).steps
        #expect(steps.map(\.name) == InspectionStep.Name.allCases)
        return steps.map(\.verdict.rawValue).joined(separator: " ")
    }

    @Test(
        "DER and BER, with SHA-1 and SHA-256, are genuine",
        arguments: SignedDataTests.forms)
    func genuine(form: SignedForm) throws {
        let inspection = try Inspection(Self.receipt(form), .testing)
        #expect(inspection.isGenuine)
        #expect(inspection.certificates.first == "CN=Test Receipt Signing")
        #expect(inspection.certificates.count == 3)
    }

    @Test("A receipt of an authority that signed everything with SHA-1 is genuine")
    func oldAuthority() throws {
        let old = ReceiptAuthority(name: "Old", digest: .sha1)
        var question = InspectionQuestion()
        question.roots = TrustedRoots([old.root.der])
        let receipt = old.receipt(PayloadForge().encoded, SignedForm(digest: .sha1))
        #expect(try Inspection(receipt, question).isGenuine)
        #expect(try Inspection(receipt, InspectionQuestion()).isGenuine == false)
    }

    @Test("Base64 is accepted too, with the damage that is repaired before sending")
    func located() throws {
        let text = Base64.encode(Self.receipt())
        let lines = stride(from: 0, to: text.count, by: 64).map {
            Array(text[$0..<min($0 + 64, text.count)])
        }
        for file in [
            text, Array(lines.joined(separator: [13, 10])), Array(lines.joined(separator: [32])),
            text.filter { $0 != UInt8(ascii: "=") } + [10],
        ] {
            let inspection = try Inspection(file, .testing)
            #expect(inspection.isGenuine)
            #expect(inspection.digest == Digest.sha256(Self.receipt()))
        }
    }

    @Test("A step that was not requested does not count as passed")
    func notChecked() throws {
        #expect(
            try verdicts(Self.receipt()) == "passed passed not_checked not_checked not_checked")
    }

    @Test("App, version and device are compared; an older version is no failure")
    func comparisons() throws {
        let all = try verdicts(Self.receipt()) {
            $0.bundle = "acme"
            $0.appVersion = "7"
            $0.deviceIdentifier = Self.device
        }
        #expect(all == "passed passed passed passed passed")
        let none = try verdicts(Self.receipt()) {
            $0.bundle = "acme.other"
            $0.appVersion = "8"
            $0.deviceIdentifier = Array(2...17)
        }
        #expect(none == "passed passed failed differs failed")
        var question = InspectionQuestion.testing
        question.appVersion = "8"
        #expect(try Inspection(Self.receipt(), question).isGenuine)
        question.bundle = "acme.other"
        let inspection = try Inspection(Self.receipt(), question)
        #expect(!inspection.isGenuine)
        #expect(inspection.failedStep?.detail == "the receipt is of acme, not acme.other")
    }

    @Test("Signed content that is not a set of attributes is reported")
    func noAttributes() throws {
        let inspection = try Inspection(Self.apple.receipt(Array("hello".utf8)), .testing)
        #expect(inspection.failedStep?.name == .located)
        #expect(inspection.payload == nil)
    }

    @Test(
        "A file of another kind is named as what it is",
        arguments: [
            ("", "It is empty"), (" \n", "It is empty"), ("eyJh.eyJi.QUJD", "It is a StoreKit 2"),
            ("hello", "It is no receipt"), ("MIIB", "It is no receipt"),
            ("{ \"a\" = \"b\"; }", "It is no receipt"),
        ])
    func noReceipt(text: String, words: String) throws {
        let error = #expect(throws: NotAReceipt.self) {
            _ = try Inspection(Array(text.utf8), .testing)
        }
        #expect(error?.description.hasPrefix(words) == true)
    }
}

@Suite("The payload of a receipt")
struct ReceiptPayloadTests {
    @Test("The payload has Apple's values, missing dates, and unknown attributes by number")
    func values() throws {
        let unknown = PayloadForge.attribute(9_999, [0xDE, 0xAD])
        let payload = try ReceiptPayload(
            PayloadForge(purchases: [PayloadForge.purchase()], others: unknown).encoded[...])
        #expect(payload.bundle == "acme")
        #expect(payload.environment == "Production")
        #expect(payload.createdAt == Instant(rfc3339: "2024-05-06T07:08:09Z"))
        #expect(payload.attributes.last?.type == 9_999)
        #expect(payload.attributes.last?.name == nil)
        #expect(payload.attributes.last?.shown == .bytes("dead"))
        let purchase = try #require(payload.purchases.first)
        #expect(purchase.product == "pro.monthly")
        #expect(purchase.expiresAt == Instant(rfc3339: "2024-06-01T00:00:00Z"))
        #expect(purchase.cancelledAt == nil)
        #expect(purchase.attributes.first(1_712)?.shown == .absent)
        #expect(purchase.productType == 3)
        #expect(purchase.attributes.first(1_722)?.shown == .integer(0))
        #expect(payload.unreadable == 0)
    }

    @Test("A damaged purchase is left out, and the others are kept")
    func damagedPurchase() throws {
        let payload = try ReceiptPayload(
            PayloadForge(purchases: [PayloadForge.purchase(id: "1"), [0x31, 0x7F], [0x30, 0]])
                .encoded[...])
        #expect(payload.purchases.map(\.transaction) == ["1"])
        #expect(payload.unreadable == 2)
    }

    @Test("A payload may be wrapped twice, and no deeper")
    func wrappedTwice() throws {
        let once = ReceiptForge.tlv(4, PayloadForge().encoded)
        #expect(try ReceiptPayload(once[...]).bundle == "acme")
        #expect(throws: DERError.self) { try ReceiptPayload(ReceiptForge.tlv(4, once)[...]) }
    }

    @Test(
        "Dates are read in RFC 3339, also with the UTC offsets of Xcode",
        arguments: [
            ("2020-07-22T18:33:15+0100", "2020-07-22T17:33:15Z"),
            ("2020-07-22T18:33:15-0230", "2020-07-22T21:03:15Z"),
            ("2020-07-22T18:33:15Z", "2020-07-22T18:33:15Z"), ("2020", nil), ("", nil),
        ] as [(String, String?)])
    func dates(text: String, instant: String?) throws {
        let payload = try ReceiptPayload(PayloadForge(createdAt: text).encoded[...])
        #expect(payload.createdAt?.description == instant)
    }
}
