@testable import Reconcile

/// Bodies of verifyReceipt answers, in Apple's modern form.
enum AppleAnswer {
    static func status(_ status: Int) -> String { #"{"status":\#(status)}"# }

    /// Status 0, for an app receipt with `transactions`.
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

    /// A subscription's period, in milliseconds since 1970.
    static func period(
        _ id: String, of product: String = "pro.monthly", bought: Int64, expires: Int64,
        cancelled: Int64? = nil
    ) -> String {
        let cancellation = cancelled.map { #","cancellation_date_ms":"\#($0)""# } ?? ""
        return """
            {"transaction_id":"\(id)","original_transaction_id":"\(id)",\
            "product_id":"\(product)","purchase_date_ms":"\(bought)",\
            "expires_date_ms":"\(expires)"\(cancellation)}
            """
    }
}
