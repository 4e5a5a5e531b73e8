internal import AppStoreSimulator
internal import Reconcile

/// Flags of other commands than `run`.
extension Flag {
    static let inspection: [Flag] = [
        Flag(
            "bundle", .value(placeholder: "ID"),
            "the app that the receipt or JWS must belong to; `period`: only this app",
            of: [.inspect, .period]
        ) { text, _, configuration in
            let app = BundleID(try FlagValue.text(text))
            configuration.inspection.bundle = app
            configuration.period.app = app
        },
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

    static let acceptance: [Flag] = [
        .value(
            "by", "WHO", "who decided or signed this; required, for prune with --user",
            of: [.accept, .release, .retract, .prune, .signOff],
            to: \.acceptance.by, FlagValue.text),
        .value(
            "why", "TEXT", "the reason, such as a tester's account; required",
            of: [.accept, .release, .retract], to: \.acceptance.why, FlagValue.text),
        .value(
            "as", "preparer|reviewer",
            "the role: the preparer signs first, and the reviewer is another person; required",
            of: [.signOff], to: \.signing.role
        ) { text in try FlagValue.choice(text) },
        .value(
            "note", "TEXT", "what is signed, such as: October is closed; required",
            of: [.signOff], to: \.signing.note, FlagValue.text),
        .bare(
            "list", "show the findings that are accepted now, and nothing else", of: [.accept],
            to: \.acceptance.isList),
        .bare(
            "undo", "withdraw the acceptance of the finding", of: [.accept],
            to: \.acceptance.isUndo),
        .value(
            "until", "DATE", "accept up to and including this day (UTC), or up to this instant",
            default: .described("until further notice"), of: [.accept], to: \.acceptance.until
        ) { text in try FlagValue.end(text) },
    ]

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

    static let investigation: [Flag] = [
        Flag(
            "transaction", .list(placeholder: "ID"),
            "the customer of this transaction: one that gives a right, or an original transaction",
            of: [.explain]
        ) { text, _, configuration in
            configuration.investigation.transactions.append(TransactionID(try FlagValue.text(text)))
        },
        .value(
            "finding", "ID",
            "the customer, or the answer, of this finding; the beginning of its id is enough",
            of: [.explain, .evidence], to: \.investigation.finding
        ) { text in try FlagValue.findingID(text) },
        .value(
            "run", "RUN",
            "use this run's results, published or not: the beginning of its id, latest or previous",
            default: .described("the newest published run, or the last that has the finding"),
            of: [.explain, .evidence], to: \.run,
            FlagValue.text),
        .bare(
            "signed",
            "print the signed receipt in the answer (latest_receipt), PKCS#7 in DER",
            of: [.evidence], to: \.investigation.isSigned),
        .bare(
            "all",
            "also show events, and columns that change with the date (days, amounts)",
            of: [.diff], to: \.showsAll),
    ]

    static let simulation: [Flag] = [
        .value(
            "seed", "N", "seed of the generated customers; the same seed gives the same data",
            default: .value("1"), of: [.simulate], to: \.simulation.seed,
            FlagValue.wholeNumber(0...Int.max)),
        .value(
            "customers", "N", "how many customers to generate", default: .value("300"),
            of: [.simulate], to: \.simulation.customers,
            FlagValue.wholeNumber(0...100_000_000)),
        .value(
            "night", "N", "simulate the Nth night: later renewals, refunds, corrected rows",
            default: .value("1"), of: [.simulate], to: \.simulation.night,
            FlagValue.wholeNumber(1...3_650)),
        .value(
            "port", "PORT", "port of verifyReceipt in production; 0: any free port",
            default: .value("0"), of: [.simulate], to: \.simulation.port, FlagValue.port),
        .value(
            "sandbox-port", "PORT", "port of verifyReceipt in the sandbox; 0: any free port",
            default: .value("0"), of: [.simulate], to: \.simulation.sandboxPort, FlagValue.port),
        .value(
            "api-port", "PORT",
            "port of the App Store Server API in production; 0: any free port",
            default: .value("0"), of: [.simulate], to: \.simulation.apiPort, FlagValue.port),
        .value(
            "api-sandbox-port", "PORT",
            "port of the App Store Server API in the sandbox; 0: any free port",
            default: .value("0"), of: [.simulate], to: \.simulation.apiSandboxPort,
            FlagValue.port),
        .value(
            "latency", "DURATION", "how long an answer takes, plus or minus half",
            default: .value("0s"), of: [.simulate], to: \.simulation.latency,
            FlagValue.duration(.zero)),
        .value(
            "faults", "RATE|SCRIPT",
            "faults to inject: a rate such as 5%, or a script such as 503:2%, 21002:first=1, "
                + "html:10s-60s, reset:receipt=ID, 429:sandbox; those of the App Store Server API "
                + "begin with api-, and receipt=ID there means its customer; a fault is any "
                + "status of five digits, " + FaultPlan.faultNames.joined(separator: ", "),
            of: [.simulate], to: \.simulation.faults
        ) { text in
            do throws(FaultPlan.Unreadable) {
                _ = try FaultPlan(parsing: text)
                return text
            } catch {
                throw InvalidValue(error.reason)
            }
        },
        Flag(
            "load", .value(placeholder: "CONNECTION"),
            "first fill schema app of this database with the generated rows, replacing "
                + "what is there", of: [.simulate]
        ) { text, origin, configuration in
            let address = DatabaseAddress(text: try FlagValue.text(text))
            configuration.simulation.load = try address.checked(from: origin)
        },
        .value(
            "stored", "receipt|jws|id|mixed",
            "what --load stores of each purchase: a receipt, a signed transaction of StoreKit 2, "
                + "a transaction id, or each of them in turn", default: .value("receipt"),
            of: [.simulate], to: \.simulation.stored
        ) { text in try FlagValue.choice(text) },
        .value(
            "write-secrets", "FOLDER",
            "first write shared-secrets, a file for --shared-secrets, into this folder",
            of: [.simulate], to: \.simulation.secrets, FlagValue.text),
        .value(
            "write-api-keys", "FOLDER",
            "first write api-keys, a file for --api-keys, and the throw-away keys that it names "
                + "into this folder", of: [.simulate], to: \.simulation.apiKeys, FlagValue.text),
        .value(
            "write-roots", "FOLDER",
            "first write the simulator's root certificates into this folder, for --roots; never "
                + "trust them elsewhere", of: [.simulate], to: \.simulation.roots, FlagValue.text),
        .value(
            "write-sales", "FOLDER",
            "first write Apple's daily sales reports of the last 62 Pacific days into this folder, "
                + "for tie-out", of: [.simulate], to: \.simulation.sales, FlagValue.text),
    ]
}
