import Testing

@testable import Reconcile
@testable import TestSupport

/// Damaged signed receipts: judging them must neither trap nor accept a forgery.
@Suite("Random signed receipts")
struct SignatureFuzzTests {
    private static let payload = PayloadForge(purchases: [PayloadForge.purchase()]).encoded

    private static let words: [[UInt8]] = [
        [0x80], [0x00, 0x00], [0x30, 0x80], [0x24, 0x80], [0x31, 0x00], [0xA0, 0x80],
        [0x04, 0x82, 0xFF, 0xFF], [0x02, 0x01, 0x11], [0x16, 0x00],
    ]

    @Test("The receipt is genuine only with the content that was signed, whatever else is changed")
    func signatures() throws {
        let wholes = SignedDataTests.forms.map {
            ReceiptAuthority.shared.receipt(Self.payload, $0)
        }
        var (read, genuine) = (0, 0)
        try FuzzPlan("signatures", executions: 2_000).run { generator in
            var bytes = generator.one(of: wholes)
            bytes.mutate(generator.number(below: 3), with: Self.words, &generator)
            guard let inspection = try? Inspection(bytes, .testing) else { return }
            read += 1
            guard inspection.isGenuine else { return }
            genuine += 1
            let content = (try? SignedData(bytes)).map { Array($0.content) }
            #expect(content == Self.payload, "\(bytes)")
        }
        #expect(read > genuine && genuine > 0)
    }

    @Test("Each attribute is shown or counted as unreadable")
    func attributes() throws {
        var read = 0
        try FuzzPlan("attributes", executions: 10_000).run { generator in
            var bytes = Self.payload
            bytes.mutate(1 + generator.number(below: 4), with: Self.words, &generator)
            guard let payload = try? ReceiptPayload(bytes[...]) else { return }
            read += 1
            for attribute in payload.attributes + payload.purchases.flatMap(\.attributes) {
                _ = (attribute.shown, attribute.instant, attribute.name)
            }
        }
        #expect(read > 0)
    }
}
