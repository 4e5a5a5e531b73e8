@testable import Reconcile

/// Bodies of verifyReceipt answers, in Apple's modern form.
enum AppleAnswer {
    static func status(_ status: Int) -> String { #"{"status":\#(status)}"# }

    static func verified(
        bundle: String = "acme", environment: StoreEnvironment = .production,
        _ transactions: [String] = []
    ) -> String {
        """
        {"status":0,"environment":"\(environment.rawValue)","receipt":{"bundle_id":"\(bundle)",\
        "original_application_version":"5.0","receipt_creation_date_ms":"1794000000000",\
        "request_date_ms":"1795140000000","in_app":[\(transactions.joined(separator: ","))]}}
        """
    }

    /// The same answer with the receipt that Apple signs as it answers, in base64.
    static func subscribed(
        bundle: String = "acme", _ transactions: [String], latest: String
    ) -> String {
        let list = transactions.joined(separator: ",")
        return verified(bundle: bundle).dropLast()
            + #","latest_receipt_info":[\#(list)],"latest_receipt":"\#(latest)"}"#
    }

    /// The instant that days are counted from.
    static let asOf = "2026-11-20T02:00:00Z"

    /// A subscription's period, in days from `asOf`.
    static func period(
        _ id: String, of product: String = "pro.monthly", from bought: Double, to expiry: Double,
        cancelled: Double? = nil
    ) -> String {
        let cancellation = cancelled.map { #","cancellation_date_ms":"\#(milliseconds($0))""# }
        return """
            {"transaction_id":"\(id)","original_transaction_id":"\(id)",\
            "product_id":"\(product)","purchase_date_ms":"\(milliseconds(bought))",\
            "expires_date_ms":"\(milliseconds(expiry))"\(cancellation ?? "")}
            """
    }

    static func purchase(_ id: String, of product: String, isRefunded: Bool = false) -> String {
        let cancellation = isRefunded ? #","cancellation_date_ms":"1790000000000""# : ""
        return """
            {"transaction_id":"\(id)","original_transaction_id":"\(id)",\
            "product_id":"\(product)","purchase_date_ms":"1700000000000"\(cancellation)}
            """
    }

    private static func milliseconds(_ days: Double) -> Int64 {
        1_795_140_000_000 + Int64(days * 86_400_000)
    }
}
