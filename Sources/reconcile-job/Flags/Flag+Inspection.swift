internal import Reconcile

extension Flag {
    static let inspection: [Flag] = [
        .value(
            "bundle", "ID", "the app that the receipt or JWS must belong to", of: [.inspect],
            to: \.inspection.bundle
        ) { text in BundleID(try FlagValue.text(text)) },
        .value(
            "app-version", "VERSION",
            "the app version to expect; a stored receipt may be of an older one", of: [.inspect],
            to: \.inspection.appVersion
        ) { text in try FlagValue.text(text) },
        .value(
            "guid", "HEX",
            "the device identifier: identifierForVendor, or a Mac's primary MAC address",
            of: [.inspect], to: \.inspection.deviceIdentifier
        ) { text in try FlagValue.deviceIdentifier(text) },
        .value(
            "roots", "FOLDER", "trust only the certificates in this folder's files",
            default: .described("Apple's"), of: [.run, .inspect, .explain, .validate, .serve],
            to: \.roots
        ) { text in try FlagValue.text(text) },
    ]
}

extension FlagValue {
    /// Parses 16 or 6 bytes in hexadecimal, with `-`, `:` or nothing between the digits.
    static func deviceIdentifier(_ text: String) throws -> [UInt8] {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count, [12, 32].contains(values.count) else {
            throw InvalidValue(
                text,
                isNot: "a device identifier such as 6C690269-2CCD-4ECE-9B4A-0809162EBC82 or"
                    + " 00:1B:63:84:45:E6")
        }
        return stride(from: 0, to: values.count, by: 2).map {
            UInt8(values[$0] << 4 | values[$0 + 1])
        }
    }
}
