import Foundation

@testable import AppStoreSimulator

private let tlv = ReceiptForge.tlv

/// A certificate of a test authority, encoded in DER (RFC 5280, 4.1).
struct TestCertificate: Sendable {
    let key: SigningKey
    let serial, subject, issuer, der: [UInt8]

    /// Self-signed without `issuer`. Marked ones have `marker`, as Apple's signers of receipts do.
    init(
        _ name: String, serial: UInt8, key: SigningKey = SigningKey(),
        by issuer: TestCertificate? = nil, days: (String, String) = ("080101", "491231"),
        isAuthority: Bool = false, isMarked: Bool = false, marker: [UInt8] = Self.marker,
        host: String? = nil, digest: SigningKey.Digest = .sha256
    ) {
        self.key = key
        self.serial = [serial]
        let commonName = tlv(0x30, tlv(6, [0x55, 0x04, 0x03]) + ReceiptForge.text(name))
        subject = tlv(0x30, tlv(0x31, commonName))
        self.issuer = issuer?.subject ?? subject
        let dates = [days.0 + "000000Z", days.1 + "235959Z"].flatMap { tlv(0x17, Array($0.utf8)) }
        let constraints = tlv(4, tlv(0x30, isAuthority ? [1, 1, 0xFF] : []))
        var extensions = tlv(0x30, tlv(6, [0x55, 0x1D, 0x13]) + [1, 1, 0xFF] + constraints)
        if let host {
            let names = tlv(0x30, tlv(0x82, Array(host.utf8)))
            extensions += tlv(0x30, tlv(6, [0x55, 0x1D, 0x11]) + tlv(4, names))
        }
        if isMarked { extensions += tlv(0x30, tlv(6, marker) + tlv(4, [5, 0])) }
        let signing = issuer?.key ?? key
        let algorithm = signing.algorithm(with: digest)
        let body = tlv(
            0x30,
            tlv(0xA0, [2, 1, 2]) + tlv(2, [serial]) + algorithm + self.issuer
                + tlv(0x30, dates) + subject + key.publicInfo + tlv(0xA3, tlv(0x30, extensions)))
        der = tlv(0x30, body + algorithm + tlv(3, [0] + signing.signature(of: body, digest)))
    }

    var pem: String { Self.pem("CERTIFICATE", der) }

    static func pem(_ label: String, _ der: [UInt8]) -> String {
        let lines = Data(der).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n"
    }

    /// 1.2.840.113635.100.6.11.1
    static let marker: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x0B, 0x01]
    /// 1.2.840.113635.100.6.5.1, of the signers of iOS 6 receipts until 2016.
    static let oldMarker: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x05, 0x01]
    /// 1.2.840.113635.100.6.2.1, of Apple's authorities for developers.
    static let issuerMarker: [UInt8] = [
        0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x02, 0x01,
    ]
}
