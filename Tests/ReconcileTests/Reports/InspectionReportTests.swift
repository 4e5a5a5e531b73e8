import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The report of inspect")
struct InspectionReportTests {
    private func inspection(
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
        oneLine(InspectionJSON(inspection, at: instant).bytes)
    }

    @Test("The report has a line for each step, a verdict, and a line for each field")
    func steps() throws {
        let unknown = PayloadForge.attribute(9_999, [0xDE, 0xAD])
        let inspection = try inspection(
            PayloadForge(purchases: [PayloadForge.purchase()], others: unknown), version: "8")
        let text = text(inspection)
        #expect(
            text.contains(
                """

                signed by Apple  passed       Test Receipt Signing ← Test Developer Relations \
                ← Test Root, valid at 2024-05-06T07:08:09Z
                bundle           not checked  the receipt is of acme; compare: --bundle
                version          differs      the receipt is of version 7, not 8: it says only \
                when the receipt was made
                device           not checked  only who knows the device's identifier can tell: \
                --guid

                Genuine, as of its signing. It says nothing of what happened since.
                SHA-256 \(inspection.digest.hexadecimal)

                """))
        for line in [
            "  12    receipt_creation_date          2024-05-06T07:08:09Z",
            "  9999                                 dead",
            "  1712  cancellation_date              –",
            "  1707  product_type                   3 (auto-renewable)",
        ] { #expect(text.contains("\n\(line)\n"), "\(line)") }
        let json = json(inspection)
        for part in [
            #"{ "inspection_version": 1, "genuine": true, "failed_step": null,"#
                + #" "form": "app_receipt", "bytes": \#(inspection.byteCount), "#,
            #""step": "device", "verdict": "not_checked", "#,
            #""certificates": [ "CN=Test Receipt Signing", "#,
            #""type": 2, "name": "bundle_id", "encoding": "text", "value": "acme" "#,
            #""name": "cancellation_date", "encoding": "absent", "value": null "#,
            #""name": "product_type", "encoding": "integer", "value": "3" "#,
        ] { #expect(json.contains(part), "\(part)") }
    }

    @Test("Control characters in a receipt are escaped")
    func hostile() throws {
        let inspection = try inspection(
            PayloadForge(bundle: "a\u{1B}[31m\n\u{202E}b", version: "\"\\\u{0}"))
        let text = text(inspection)
        #expect(text.contains(#"a\u001b[31m\n\u202eb"#))
        #expect(text.utf8.filter { $0 < 0x20 && $0 != 10 } == [])
        for value in [#""value": "a\u001b[31m\n"#, #""value": "\"\\\#u{FFFD}""#] {
            #expect(json(inspection).contains(value))
        }
    }

    /// The kind of the product; a subscription until 1 June where it is not given.
    @Test(
        "The report of a genuine receipt shows the rights at an instant, and their end",
        arguments: textTriples(
            """
            2024-05-10T00:00:00Z |   | active until 2024-06-01T00:00:00Z
            2024-06-02T00:00:00Z |   | expired on 2024-06-01T00:00:00Z
            2024-05-10T00:00:00Z | 0 | active, without an end
            2024-05-10T00:00:00Z | 1 | bought on 2024-05-01T00:00:00Z; its end
            """))
    func gives(instant: String, kind: String, words: String) throws {
        let purchase = UInt8(kind).map { PayloadForge.purchase(expires: "", kind: $0) }
        let inspection = try inspection(
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
        #expect(text(try inspection()).contains("\nAt \(Instant.asOf) it gives nothing."))
        let forged = try inspection(isForged: true)
        #expect(!text(forged).contains("it gives"))
        #expect(text(forged).contains("\nNot genuine: its signature does not fit its bytes"))
        let json = json(forged)
        #expect(json.contains("\"gives\": null"))
        #expect(json.contains("\"genuine\": false, \"failed_step\": \"signature\", "))
    }
}
