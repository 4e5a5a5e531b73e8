internal import Reconcile

extension Flag {
    /// What `inspect` takes.
    static let inspection: [Flag] = [
        .value(
            "bundle", "ID", "the app that the receipt must be of", of: [.inspect],
            to: \.inspection.bundle
        ) { text throws(InvalidValue) in BundleID(try FlagValue.text(text)) },
        .value(
            "app-version", "VERSION",
            "the app's version, to compare; a stored receipt may well be older", of: [.inspect],
            to: \.inspection.appVersion
        ) { text throws(InvalidValue) in try FlagValue.text(text) },
        .value(
            "guid", "HEX",
            "the device's identifier: identifierForVendor, or a Mac's first hardware address",
            of: [.inspect], to: \.inspection.deviceIdentifier
        ) { text throws(InvalidValue) in try FlagValue.deviceIdentifier(text) },
        .value(
            "roots", "FOLDER", "trust the certificates in this folder's files, and no others",
            default: .described("Apple's"), of: [.run, .inspect, .explain], to: \.roots
        ) { text throws(InvalidValue) in try FlagValue.text(text) },
    ]
}

extension FlagValue {
    /// 16 bytes or 6, in hexadecimal, with `-` or `:` between them or nothing.
    static func deviceIdentifier(_ text: String) throws(InvalidValue) -> [UInt8] {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count, [12, 32].contains(values.count) else {
            throw InvalidValue(
                text,
                isNot: "a device's identifier, as 6C690269-2CCD-4ECE-9B4A-0809162EBC82 or"
                    + " 00:1B:63:84:45:E6 is")
        }
        return stride(from: 0, to: values.count, by: 2).map {
            UInt8(values[$0] << 4 | values[$0 + 1])
        }
    }
}
