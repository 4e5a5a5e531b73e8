import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The report of inspect")
struct InspectionReportTests {
    private static func inspection(
        _ payload: PayloadForge = PayloadForge(), isForged: Bool = false, version: String? = nil
    ) throws -> Inspection {
        var bytes = ReceiptAuthority.shared.receipt(payload.encoded)
        if isForged { bytes[bytes.count - 1] ^= 1 }
        var question = InspectionQuestion.testing
        question.appVersion = version
        return try Inspection(bytes, question)
    }

    private func text(_ inspection: Inspection, at instant: Instant = .asOf) -> String {
        InspectionText(inspection, at: instant).text
    }

    private func json(_ inspection: Inspection, at instant: Instant = .asOf) -> String {
        String(decoding: InspectionJSON(inspection, at: instant).bytes, as: UTF8.self)
    }

    @Test("The report has a line for each step, a verdict, and a line for each field")
    func steps() throws {
        let unknown = PayloadForge.attribute(9_999, [0xDE, 0xAD])
        let inspection = try Self.inspection(
            PayloadForge(purchases: [PayloadForge.purchase()], others: unknown), version: "8")
        let lines = text(inspection).components(separatedBy: "\n")
        #expect(
            Array(lines[1...7]) == [
                "signed by Apple  passed       Test Receipt Signing ← Test Developer Relations"
                    + " ← Test Root, valid at 2024-05-06T07:08:09Z",
                "bundle           not checked  the receipt is of acme; compare: --bundle",
                "version          differs      the receipt is of version 7, not 8: it says only"
                    + " when the receipt was made",
                "device           not checked  only who knows the device's identifier can tell:"
                    + " --guid",
                "", "Genuine, as of its signing. It says nothing of what happened since.",
                "SHA-256 \(inspection.digest.hexadecimal)",
            ])
        for line in [
            "  12    receipt_creation_date          2024-05-06T07:08:09Z",
            "  9999                                 dead",
            "  1712  cancellation_date              –",
            "  1707  product_type                   3 (auto-renewable)",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    @Test("Control characters in a receipt are escaped")
    func hostile() throws {
        let inspection = try Self.inspection(
            PayloadForge(bundle: "a\u{1B}[31m\n\u{202E}b", version: "\"\\\u{0}"))
        let text = text(inspection)
        #expect(text.contains(#"a\u001b[31m\n\u202eb"#))
        #expect(text.utf8.filter { $0 < 0x20 && $0 != 10 } == [])
        let json = json(inspection)
        #expect(json.contains(#""value": "a\u001b[31m\n"#))
        #expect(json.contains(#""value": "\"\\\#u{FFFD}""#))
    }

    @Test("The JSON has a stable shape")
    func shape() throws {
        let inspection = try Self.inspection(PayloadForge(purchases: [PayloadForge.purchase()]))
        let text = oneLine(InspectionJSON(inspection, at: .asOf).bytes)
        for part in [
            "{ \"inspection_version\": 1, \"genuine\": true, \"failed_step\": null,"
                + " \"form\": \"app_receipt\", \"bytes\": \(inspection.byteCount), ",
            #""step": "device", "verdict": "not_checked", "#,
            #""certificates": [ "CN=Test Receipt Signing", "#,
            #""type": 2, "name": "bundle_id", "encoding": "text", "value": "acme" "#,
            #""name": "cancellation_date", "encoding": "absent", "value": null "#,
            #""name": "product_type", "encoding": "integer", "value": "3" "#,
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test(
        "The report of a genuine receipt shows the rights at an instant, and their end",
        arguments: [
            ("2024-05-10T00:00:00Z", nil, "active until 2024-06-01T00:00:00Z"),
            ("2024-06-02T00:00:00Z", nil, "expired on 2024-06-01T00:00:00Z"),
            ("2024-05-10T00:00:00Z", 0, "active, without an end"),
            ("2024-05-10T00:00:00Z", 1, "bought on 2024-05-01T00:00:00Z; its end"),
        ] as [(String, UInt8?, String)])
    func gives(instant: String, kind: UInt8?, words: String) throws {
        let purchase = kind.map { PayloadForge.purchase(expires: "", kind: $0) }
        let inspection = try Self.inspection(
            PayloadForge(purchases: [purchase ?? PayloadForge.purchase()]))
        let asOf = try #require(Instant(rfc3339: instant))
        let text = text(inspection, at: asOf)
        #expect(text.contains("At \(instant) it gives:\n  pro.monthly"))
        #expect(text.contains("  " + words))
        let json = json(inspection, at: asOf)
        #expect(json.contains("\"state\": \"\(words)"))
        #expect(json.contains("\"as_of\": \"\(instant)\""))
    }

    @Test("A genuine receipt without rights says so; another names its failed step, and no rights")
    func givesNothing() throws {
        let genuine = try Self.inspection()
        #expect(text(genuine).contains("\nAt \(Instant.asOf) it gives nothing."))
        let forged = try Self.inspection(isForged: true)
        #expect(!text(forged).contains("it gives"))
        #expect(text(forged).contains("\nNot genuine: its signature does not fit its bytes"))
        let json = json(forged)
        #expect(json.contains("\"gives\": null"))
        #expect(json.contains("\"genuine\": false,\n  \"failed_step\": \"signature\",\n"))
    }
}
