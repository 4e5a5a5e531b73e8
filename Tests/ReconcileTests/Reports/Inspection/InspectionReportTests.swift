import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The report of inspect")
struct InspectionReportTests {
    private static func inspection(_ payload: PayloadForge) throws -> Inspection {
        var question = InspectionQuestion.testing
        question.appVersion = "8"
        return try Inspection(ReceiptAuthority.shared.receipt(payload.encoded), question)
    }

    @Test("The report has a line for each step, a verdict, and a line for each field")
    func text() throws {
        let unknown = PayloadForge.attribute(9_999, [0xDE, 0xAD])
        let inspection = try Self.inspection(
            PayloadForge(purchases: [PayloadForge.purchase()], others: unknown))
        let lines = InspectionText(inspection, at: .asOf).text.split(
            separator: "\n", omittingEmptySubsequences: false
        ).map { String($0) }
        let expected: [String] = [
            "signed by Apple  passed       Test Receipt Signing ← Test Developer Relations"
                + " ← Test Root, valid at 2024-05-06T07:08:09Z",
            "bundle           not checked  the receipt is of acme; compare: --bundle",
            "version          differs      the receipt is of version 7, not 8: it says only"
                + " when the receipt was made",
            "device           not checked  only who knows the device's identifier can tell:"
                + " --guid",
            "", "Genuine, as of its signing. It says nothing of what happened since.",
            "SHA-256 \(inspection.digest.hexadecimal)",
        ]
        #expect(Array(lines[1...7]) == expected)
        for line in [
            "  12    receipt_creation_date          2024-05-06T07:08:09Z",
            "  9999                                 dead",
            "  1712  cancellation_date              –",
            "  1707  product_type                   3 (auto-renewable)",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test("Control characters in a receipt are escaped")
    func hostile() throws {
        let inspection = try Self.inspection(
            PayloadForge(bundle: "a\u{1B}[31m\n\u{202E}b", version: "\"\\\u{0}"))
        let text = InspectionText(inspection, at: .asOf).text
        #expect(text.contains(#"a\u001b[31m\n\u202eb"#))
        let obeyed = text.utf8.filter { $0 < 0x20 && $0 != 10 }
        #expect(obeyed.isEmpty)
        let json = String(decoding: InspectionJSON(inspection, at: .asOf).bytes, as: UTF8.self)
        #expect(json.contains(#""value": "a\u001b[31m\n"#))
        #expect(json.contains(#""value": "\"\\\#u{FFFD}""#))
    }

    @Test("The JSON has a stable shape")
    func json() throws {
        let inspection = try Self.inspection(PayloadForge(purchases: [PayloadForge.purchase()]))
        let text = String(decoding: InspectionJSON(inspection, at: .asOf).bytes, as: UTF8.self)
        for part in [
            "{\n  \"inspection_version\": 1,\n  \"genuine\": true,\n  \"failed_step\": null,\n"
                + "  \"form\": \"app_receipt\",\n  \"bytes\": \(inspection.byteCount),\n",
            "\"step\": \"device\",\n      \"verdict\": \"not_checked\",\n",
            "\"certificates\": [\n    \"CN=Test Receipt Signing\",\n",
            "\"type\": 2,\n      \"name\": \"bundle_id\",\n      \"encoding\": \"text\",\n"
                + "      \"value\": \"acme\"\n",
            "\"name\": \"cancellation_date\",\n        \"encoding\": \"absent\",\n"
                + "        \"value\": null\n",
            "\"name\": \"product_type\",\n        \"encoding\": \"integer\",\n"
                + "        \"value\": \"3\"\n",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test(
        "The report of a genuine receipt shows the rights at an instant, and their end",
        arguments: [
            ("2024-05-10T00:00:00Z", [], "active until 2024-06-01T00:00:00Z"),
            ("2024-06-02T00:00:00Z", [], "expired on 2024-06-01T00:00:00Z"),
            ("2024-05-10T00:00:00Z", [UInt8(0)], "active, without an end"),
            ("2024-05-10T00:00:00Z", [UInt8(1)], "bought on 2024-05-01T00:00:00Z; its end"),
        ])
    func gives(instant: String, kind: [UInt8], words: String) throws {
        let purchase = kind.first.map { PayloadForge.purchase(expires: "", kind: $0) }
        let inspection = try Inspection(
            ReceiptAuthority.shared.receipt(
                PayloadForge(purchases: [purchase ?? PayloadForge.purchase()]).encoded), .testing)
        let asOf = try #require(Instant(rfc3339: instant))
        let text = InspectionText(inspection, at: asOf).text
        #expect(text.contains("At \(instant) it gives:\n  pro.monthly"))
        #expect(text.contains("  " + words))
        let json = String(decoding: InspectionJSON(inspection, at: asOf).bytes, as: UTF8.self)
        #expect(json.contains("\"state\": \"\(words)"))
        #expect(json.contains("\"as_of\": \"\(instant)\""))
    }

    @Test("A genuine receipt without rights says so, and another receipt says nothing of rights")
    func givesNothing() throws {
        var bytes = ReceiptAuthority.shared.receipt(PayloadForge().encoded)
        let genuine = try Inspection(bytes, .testing)
        #expect(
            InspectionText(genuine, at: .asOf).text.contains(
                "\nAt \(Instant.asOf) it gives nothing."))
        bytes[bytes.count - 1] ^= 1
        let forged = try Inspection(bytes, .testing)
        #expect(!InspectionText(forged, at: .asOf).text.contains("it gives"))
        let json = String(decoding: InspectionJSON(forged, at: .asOf).bytes, as: UTF8.self)
        #expect(json.contains("\"gives\": null"))
    }

    @Test("The report names the step that failed")
    func failed() throws {
        var bytes = ReceiptAuthority.shared.receipt(PayloadForge().encoded)
        bytes[bytes.count - 1] ^= 1
        let inspection = try Inspection(bytes, .testing)
        let json = String(decoding: InspectionJSON(inspection, at: .asOf).bytes, as: UTF8.self)
        #expect(json.contains("\"genuine\": false,\n  \"failed_step\": \"signature\",\n"))
        let text = InspectionText(inspection, at: .asOf).text
        #expect(text.contains("\nNot genuine: its signature does not fit its bytes"))
    }
}
