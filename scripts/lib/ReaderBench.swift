// Built and run by scripts/bench-reader.
import Foundation

@testable import Reconcile

@main
enum ReaderBench {
    static func main() throws {
        print("answer              bytes  transactions     ours     MB/s  JSONDecoder   MB/s  times")
        let files = CommandLine.arguments.dropFirst()
        if files.isEmpty {
            try measure("12 transactions", answer(transactions: 12, padding: 6_000))
            try measure("60 transactions", answer(transactions: 60, padding: 12_000))
            try measure("540 transactions", answer(transactions: 540, padding: 60_000))
        }
        for file in files {
            let name = URL(fileURLWithPath: file).lastPathComponent
            try measure(String(name.suffix(18)), try Data(contentsOf: URL(fileURLWithPath: file)))
        }
    }

    private static func measure(_ name: String, _ data: Data) throws {
        let bytes = [UInt8](data)
        var count = 0
        let ours = try seconds(reading: bytes.count) {
            count = try VerifyReceiptAnswer.read(bytes, from: .production).receipt?
                .transactions.count ?? 0
        }
        let decoder = JSONDecoder()
        let theirs = try? seconds(reading: bytes.count) {
            _ = try decoder.decode(DecodedAnswer.self, from: data)
        }
        func rate(_ seconds: Double) -> Double { Double(bytes.count) / seconds / 1e6 }
        var line = [
            name.padding(toLength: 18, withPad: " ", startingAt: 0),
            String(format: "%6d  %12d %6.1f µs %8.0f", bytes.count, count, ours * 1e6, rate(ours)),
        ].joined(separator: " ")
        if let theirs {
            line += String(
                format: " %9.1f µs %6.0f %6.1f", theirs * 1e6, rate(theirs), theirs / ours)
        }
        print(line)
    }

    /// The best of seven measurements, in CPU time of this process.
    private static func seconds(
        reading byteCount: Int, _ work: () throws -> Void
    ) rethrows -> Double {
        let repetitions = max(1, 20_000_000 / byteCount)
        var best = Double.infinity
        for _ in 0..<7 {
            let start = clock()
            for _ in 0..<repetitions { try work() }
            best = min(best, Double(clock() - start) / Double(CLOCKS_PER_SEC))
        }
        return best / Double(repetitions)
    }

    /// Both lists contain every transaction, as Apple's do.
    private static func answer(transactions: Int, padding: Int) throws -> Data {
        let lines = (0..<transactions).map { number in
            let bought = 1_700_000_000_000 + number * 2_592_000_000
            return """
                {"quantity": "1", "product_id": "com.example.pro.monthly", \
                "transaction_id": "\(480_000_000_000_000 + number)", \
                "original_transaction_id": "480000000000000", \
                "purchase_date": "2026-01-01 10:00:00 Etc/GMT", "purchase_date_ms": "\(bought)", \
                "purchase_date_pst": "2026-01-01 02:00:00 America/Los_Angeles", \
                "original_purchase_date": "2026-01-01 10:00:00 Etc/GMT", \
                "original_purchase_date_ms": "1700000000000", \
                "original_purchase_date_pst": "2026-01-01 02:00:00 America/Los_Angeles", \
                "expires_date": "2026-02-01 10:00:00 Etc/GMT", \
                "expires_date_ms": "\(bought + 2_592_000_000)", \
                "expires_date_pst": "2026-02-01 02:00:00 America/Los_Angeles", \
                "web_order_line_item_id": "\(490_000_000_000_000 + number)", \
                "is_trial_period": "false", "is_in_intro_offer_period": "false", \
                "in_app_ownership_type": "PURCHASED"}
                """
        }.joined(separator: ", ")
        let text = """
            {"environment": "Production", "receipt": {"receipt_type": "Production", \
            "adam_id": 1234567890123, "bundle_id": "com.example.app", \
            "application_version": "42", "download_id": 501136461303889853, \
            "request_date_ms": "1795140000000", "original_application_version": "9.0", \
            "in_app": [\(lines)]}, "latest_receipt_info": [\(lines)], \
            "latest_receipt": "\(String(repeating: "MIIT", count: padding / 4))", \
            "pending_renewal_info": [{"product_id": "com.example.pro.monthly", \
            "original_transaction_id": "480000000000000", "auto_renew_status": "1"}], "status": 0}
            """
        return Data(text.utf8)
    }
}

/// The fields that our reader reads, for JSONDecoder. Dates and flags stay text, which favours it.
private struct DecodedAnswer: Decodable {
    struct Transaction: Decodable {
        var transaction_id, original_transaction_id, product_id: String?
        var purchase_date_ms, purchase_date, expires_date_ms, expires_date: String?
        var cancellation_date_ms, cancellation_date, cancellation_reason: String?
        var in_app_ownership_type, promotional_offer_id, offer_code_ref_name: String?
        var is_upgraded, is_trial_period, is_in_intro_offer_period: String?
    }

    struct Renewal: Decodable {
        var original_transaction_id, product_id, auto_renew_product_id: String?
        var auto_renew_status, expiration_intent, is_in_billing_retry_period: String?
        var grace_period_expires_date_ms, grace_period_expires_date: String?
    }

    struct Receipt: Decodable {
        var bundle_id, original_application_version: String?
        var receipt_creation_date_ms, request_date_ms, original_purchase_date_ms: String?
        var in_app: [Transaction]?
    }

    var status: Int
    var environment, exception: String?
    var is_retryable: Bool?
    var receipt: Receipt?
    var latest_receipt_info: [Transaction]?
    var pending_renewal_info: [Renewal]?
}
