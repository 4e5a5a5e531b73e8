@testable import Reconcile

/// Lines of Apple's answers as JSON text, in days from the instant of judgement. The parser reads
/// the text, so that a test covers the parser's keys.
enum AppleLine {
    typealias Members = KeyValuePairs<String, String>

    static func period(
        _ id: String = "1", of chain: String = "1", _ product: String = "pro.monthly",
        from bought: Double, to end: Double, cancelled: Double? = nil, order: String? = nil,
        with more: Members = [:]
    ) -> String {
        let orderID = order.map { #","web_order_line_item_id":"\#($0)""# } ?? ""
        return once(id, of: chain, product, bought: bought, cancelled: cancelled, with: more)
            .dropLast() + #","expires_date_ms":"\#(ms(end))"\#(orderID)}"#
    }

    /// A purchase without an end. Without `chain` it is its own original.
    static func once(
        _ id: String = "1", of chain: String? = nil, _ product: String, bought: Double,
        cancelled: Double? = nil, with more: Members = [:]
    ) -> String {
        let cancellation = cancelled.map { #","cancellation_date_ms":"\#(ms($0))""# } ?? ""
        let members = more.map { #","\#($0.key)":"\#($0.value)""# }.joined()
        return #"{"transaction_id":"\#(id)","original_transaction_id":"\#(chain ?? id)","#
            + #""product_id":"\#(product)","purchase_date_ms":"\#(ms(bought))""#
            + cancellation + members + "}"
    }

    static let familyShared: Members = ["in_app_ownership_type": "FAMILY_SHARED"]

    private static func ms(_ day: Double) -> Int64 { Instant.day(day).milliseconds }

    /// Status 0 with these lines. `firstGot`: when the customer first got the app.
    static func answer(
        inApp: [String] = [], latest: [String] = [], renewals: [String] = [],
        version: String = "5.0", firstGot: Double? = nil, created: Double = -3,
        bundle: String = "acme", environment: StoreEnvironment = .production
    ) -> String {
        let original = firstGot.map { #""original_purchase_date_ms":"\#(ms($0))","# } ?? ""
        return """
            {"status":0,"environment":"\(environment.rawValue)","receipt":{"bundle_id":"\(bundle)",\
            \(original)"original_application_version":"\(version)",\
            "receipt_creation_date_ms":"\(ms(created))","request_date_ms":"\(ms(0))",\
            "in_app":[\(inApp.joined(separator: ","))]},\
            "latest_receipt_info":[\(latest.joined(separator: ","))],\
            "pending_renewal_info":[\(renewals.joined(separator: ","))]}
            """
    }
}
