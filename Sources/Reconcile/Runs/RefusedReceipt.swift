/// A refused receipt, and the server that refused it. Of identical receipts, the first.
struct RefusedReceipt: Hashable, Sendable {
    let receipt: ReceiptID
    let server: AppleServer
}

extension RefusedReceipt: Comparable {
    static func < (one: RefusedReceipt, other: RefusedReceipt) -> Bool {
        one.receipt == other.receipt
            ? one.server.rawValue < other.server.rawValue : one.receipt < other.receipt
    }
}
