extension TrustedRoots {
    /// Apple's roots, and the intermediates that iOS 6 receipts lack. README.md names the sources.
    package static let apple = TrustedRoots([
        PackageResources.AppleIncRootCertificate_cer, PackageResources.AppleRootCA_G2_cer,
        PackageResources.AppleRootCA_G3_cer, PackageResources.AppleWWDRCA_cer,
        PackageResources.AppleiTunesStoreCA_cer,
    ])

    /// Parses the certificates in a PEM or DER file. Nil when one of them is not readable.
    package static func certificates(inFile bytes: [UInt8]) -> [[UInt8]]? {
        let begin = Array("-----BEGIN CERTIFICATE-----".utf8)
        let end = Array("-----END CERTIFICATE-----".utf8)
        var rest = bytes[...]
        var found: [[UInt8]] = []
        while let start = rest.firstRange(of: begin) {
            rest = rest[start.upperBound...]
            guard let stop = rest.firstRange(of: end),
                let der = Base64.decode(Array(rest[..<stop.lowerBound]))?.bytes
            else { return nil }
            found.append(der)
            rest = rest[stop.upperBound...]
        }
        if found.isEmpty { found = [bytes] }
        return found.allSatisfy { Certificate.isReadable($0[...]) } ? found : nil
    }
}
