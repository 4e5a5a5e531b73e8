/// A root certificate of the simulated App Store. Never trust it outside tests.
package struct ThrowAwayRoot: Sendable {
    /// Of a file.
    package let name: String
    /// In PEM.
    package let pem: String

    package static let all = [
        ThrowAwayRoot("simulated-receipts", ThrowAwayAuthority.rootCertificate),
        ThrowAwayRoot("simulated-jws", ThrowAwayChain.root),
    ]

    private init(_ name: String, _ certificate: [UInt8]) {
        self.name = name + ".pem"
        pem = PEM.text("CERTIFICATE", certificate)
    }
}
