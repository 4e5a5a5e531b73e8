extension Flag {
    static let downloads: [Flag] = [
        .value(
            "socket", "PATH", "UNIX socket for nginx, for owner and group only", of: [.serve],
            to: \.service.socket, FlagValue.text),
        .value(
            "download-key-file", "FILE",
            "lines `key_id = base64 of 32 bytes`: the first encrypts new download keys, all open"
                + " them; only its owner may have read access", of: [.validate, .serve, .openKey],
            to: \.service.keyFile, FlagValue.text),
        .value(
            "sandbox", "grant|refuse", "whether sandbox receipts (App Review) unlock assets",
            default: .value("grant"), of: [.validate, .serve], to: \.service.sandbox
        ) { text in try FlagValue.choice(text) },
        .value(
            "validation-ttl", "DURATION", "how long a stored validation is used again",
            default: .value("24h"), of: [.validate, .serve], to: \.service.validationTTL,
            FlagValue.duration(.milliseconds(1))),
        .value(
            "key-ttl", "DURATION", "maximum lifetime of a download key",
            default: .value("1h"), of: [.validate, .serve], to: \.service.keyTTL,
            FlagValue.duration(.seconds(1))),
        .bare(
            "ask-unsigned",
            "also ask Apple, once, about receipts that Apple did not sign; without it they are"
                + " `fail` at once", of: [.validate, .serve], to: \.service.asksUnsigned),
        .bare(
            "trust-user-id",
            "store receipts for the user_id in the request; only where your own servers are the"
                + " only clients", of: [.serve], to: \.service.trustsUserID),
    ]
}
