@testable import Reconcile

/// iOS 6 receipts, which are property lists.
enum IOS6Forge {
    /// A receipt of an RSA key of 2,048 bits.
    /// - Parameters:
    ///   - presented: the signed text as it is presented; another one was altered.
    ///   - surroundings: what no signature covers.
    static func receipt(
        by signer: TestCertificate, transaction: String = "1", presented: String? = nil,
        around surroundings: String = #""pod" = "1"; "signing-status" = "0";"#
    ) -> [UInt8] {
        let length = [0, 0, UInt8(signer.der.count >> 8), UInt8(signer.der.count & 0xFF)]
        let info = info(transaction)
        let signed = signer.key.signature(of: [2] + info, .sha1)
        return list(
            signature: [2] + signed + length + signer.der, presented.map(self.info) ?? info,
            around: surroundings)
    }

    static func unsigned(transaction: String = "1") -> [UInt8] {
        list(signature: [], info(transaction))
    }

    private static func info(_ transaction: String) -> [UInt8] {
        let date = #""purchase-date-ms" = "1388534400000""#
        let text = #"{ "bid" = "acme"; \#(date); "transaction-id" = "\#(transaction)"; }"#
        return Array(text.utf8)
    }

    private static func list(
        signature: [UInt8], _ info: [UInt8], around surroundings: String = ""
    ) -> [UInt8] {
        func text(_ bytes: [UInt8]) -> String {
            String(decoding: Base64.encode(bytes), as: UTF8.self)
        }
        let signed = #""signature" = "\#(text(signature))"; "purchase-info" = "\#(text(info))";"#
        return Array("{ \(signed) \(surroundings) }".utf8)
    }
}
