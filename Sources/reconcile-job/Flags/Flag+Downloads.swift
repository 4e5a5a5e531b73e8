extension Flag {
    /// What the receipt validation service takes, beside the flags for Apple's side.
    static let downloads: [Flag] = [
        .value(
            "socket", "PATH", "listen here, for nginx; for owner and group alone", of: [.serve],
            to: \.service.socket, FlagValue.text),
        .value(
            "download-key-file", "FILE",
            "lines `key_id = base64 of 32 bytes`: the first seals download keys, all open them;"
                + " readable by its owner alone", of: [.validate, .serve, .openKey],
            to: \.service.keyFile, FlagValue.text),
        .value(
            "sandbox", "grant|refuse", "what sandbox receipts unlock; App Review sends such",
            default: .value("grant"), of: [.validate, .serve], to: \.service.sandbox
        ) { text throws(InvalidValue) in try FlagValue.choice(text) },
        .value(
            "validation-ttl", "DURATION", "how long an answer of Apple's is believed",
            default: .value("24h"), of: [.validate, .serve], to: \.service.validationTTL,
            FlagValue.duration(.milliseconds(1))),
        .value(
            "key-ttl", "DURATION", "how long a download key opens, at most",
            default: .value("1h"), of: [.validate, .serve], to: \.service.keyTTL,
            FlagValue.duration(.seconds(1))),
    ]
}
