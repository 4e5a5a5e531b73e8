import Testing

@testable import Reconcile

@Suite("A receipt with very many purchases")
struct ManyPurchasesTests {
    @Test("Fifty thousand purchases are read, and no more")
    func bounded() throws {
        // An attribute of type 17, version 1, whose value is an empty set.
        let purchase: [UInt8] = [
            0x30, 0x0A, 0x02, 0x01, 0x11, 0x02, 0x01, 0x01, 0x04, 0x02, 0x31, 0x00,
        ]
        func payload(_ count: Int) -> ArraySlice<UInt8> {
            let body = (0..<count).flatMap { _ in purchase }
            let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: body.count >> $0) }
            return ([0x31, 0x83] + length + body)[...]
        }
        #expect(try ReceiptPayload(payload(50_000)).purchases.count == 50_000)
        #expect(throws: DERError.self) { try ReceiptPayload(payload(50_001)) }
    }
}
