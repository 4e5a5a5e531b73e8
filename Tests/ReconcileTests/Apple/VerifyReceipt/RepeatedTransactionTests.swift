import Testing

@testable import Reconcile

/// To add a case: an `Order` with the positions, in `in_app`, of the transactions that
/// `latest_receipt_info` repeats.
@Suite("Transactions that two lists of an answer repeat byte for byte")
struct RepeatedTransactionTests {
    private static let lines = (1...4).map { number in
        AppleLine.period(
            "\(number)", of: "1", from: Double(-40 * number), to: Double(-30 * number),
            cancelled: nil, order: "9\(number)")
    }

    struct Order: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Indexes of `lines`.
        let latest: [Int]
    }

    @Test(
        "Repeated or written otherwise, they are read the same",
        arguments: [
            Order(testDescription: "in the same order", latest: [0, 1, 2, 3]),
            Order(testDescription: "in reverse order", latest: [3, 2, 1, 0]),
            Order(testDescription: "in another order", latest: [2, 0, 3, 1]),
            Order(testDescription: "some of them", latest: [0, 2]),
            Order(testDescription: "one of them twice", latest: [0, 0, 1]),
            Order(testDescription: "none", latest: []),
        ])
    func same(order: Order) throws {
        let latest = order.latest.map { Self.lines[$0] }
        // A space does not change what an object says.
        let spaced = latest.map { "{ " + $0.dropFirst() }
        let repeated = try Self.read(AppleLine.answer(inApp: Self.lines, latest: latest))
        #expect(repeated == (try Self.read(AppleLine.answer(inApp: Self.lines, latest: spaced))))
        #expect(repeated?.transactions.count == 4)
    }

    @Test("A repeated object that the other list holds too deeply is refused")
    func tooDeep() {
        let nested = String(repeating: "[", count: 61) + String(repeating: "]", count: 61)
        let line = #"{"transaction_id":"1","other":\#(nested)}"#
        let text = """
            {"status":0,"latest_receipt_info":[\(line)],\
            "receipt":{"bundle_id":"acme","in_app":[\(line)]}}
            """
        #expect {
            try Self.read(text)
        } throws: { error in
            guard case .json(.tooDeep)? = error as? VerifyReceiptAnswer.Unreadable else {
                return false
            }
            return true
        }
    }

    private static func read(_ text: String) throws -> Receipt? {
        try VerifyReceiptAnswer.read(Array(text.utf8), from: .production).receipt
    }
}
