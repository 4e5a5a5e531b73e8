internal import Reconcile

extension Flag {
    /// All flags in the order of `--help`.
    static let all: [Flag] =
        source + apple + pace + rules + scope + continuity + guards + verdict + inspection
        + acceptance + downloads + investigation + days + tieOut
        + simulation
        + display

    private static let source: [Flag] = [
        Flag(
            "database", .value(placeholder: "CONNECTION"),
            "PostgreSQL connection: a libpq URI or key=value string, without a password",
            default: .described("DATABASE_URL, else libpq's PG* variables"),
            of: [
                .run, .doctor, .check, .inspect, .validate, .serve, .openKey, .explain, .evidence,
                .exportReceipts, .runs, .period, .diff, .report, .verify, .tieOut, .signOff,
                .migrate, .accept, .release, .retract, .prune,
            ],
            otherVariable: "DATABASE_URL"
        ) { text, origin, configuration in
            let address = DatabaseAddress(text: try FlagValue.text(text))
            configuration.database = try address.checked(from: origin)
        },
        .bare(
            "with-reference-app",
            "also create schema app, the tables of a small receipt service, and the views over it",
            of: [.migrate], to: \.withReferenceApp),
        .value(
            "roles", "print|apply",
            "only set up the roles: reconcile_job, which may read the views and write the job's"
                + " own tables, and those of readers and of the receipt validation service. Print"
                + " their SQL on stdout, or apply it to the database", of: [.migrate],
            to: \.roles
        ) { text in try FlagValue.choice(text) },
        .value(
            "reports", "FOLDER", "where each run's report folder is created",
            default: .value("reports"),
            of: [
                .run, .check, .doctor, .period, .report, .tieOut, .signOff, .release, .retract,
                .prune,
            ],
            to: \.reports,
            FlagValue.text),
        .value(
            "reports-group", "GROUP",
            "give the reports to this group, which may read them; a name or a number",
            default: .described("the group that new files get in that folder"),
            of: [.run, .doctor, .period, .report, .tieOut], to: \.reportsGroup
        ) { text in try FlagValue.text(text) },
        .value(
            "keep", "N",
            "remove report folders older than the last N nights, after a run over everything"
                + " or with prune; never the one that latest points to",
            of: [.run, .prune], to: \.keptNights
        ) { text in try FlagValue.wholeNumber(1...100_000)(text) },
        .value(
            "csv-dialect", "plain|excel|excel-eu",
            "excel: CSV with a byte order mark, ' before ids that a spreadsheet would round, and a"
                + " new file after 1,000,000 rows; excel-eu: also ; between cells and a decimal"
                + " comma", default: .value("plain"), to: \.csvDialect
        ) { text in try FlagValue.choice(text) },
        .value(
            "as-of", "INSTANT", "judge as of this RFC 3339 instant; `simulate`: the first night",
            default: .described("the time when the command starts"),
            of: [.run, .inspect, .explain, .simulate],
            to: \.asOf
        ) { text in try FlagValue.instant(text) },
    ]

    private static let apple: [Flag] = [
        .value(
            "production-url", "URL", "verifyReceipt's production server, or a simulator of it",
            default: .value("https://buy.itunes.apple.com/verifyReceipt"),
            of: [.run, .doctor, .explain] + service, to: \.productionURL, FlagValue.text),
        .value(
            "sandbox-url", "URL", "verifyReceipt's sandbox, or a simulator of it",
            default: .value("https://sandbox.itunes.apple.com/verifyReceipt"),
            of: [.run, .doctor, .explain] + service, to: \.sandboxURL, FlagValue.text),
        .value(
            "source", "verify-receipt|server-api|both",
            "whom to ask about receipts: verifyReceipt; the App Store Server API, where the app has"
                + " a key; or both. Stored JWS and transaction ids are always the API's",
            default: .value("verify-receipt"),
            of: [.run, .doctor, .explain, .evidence] + service, to: \.source
        ) { text in try FlagValue.choice(text) },
        .value(
            "api-url", "URL", "Apple's App Store Server API, or a simulator of it",
            default: .value("https://api.storekit.apple.com"),
            of: [.run, .doctor, .explain] + service, to: \.apiURL, FlagValue.text),
        .value(
            "api-sandbox-url", "URL", "its sandbox, or a simulator of it",
            default: .value("https://api.storekit-sandbox.apple.com"),
            of: [.run, .doctor, .explain] + service, to: \.apiSandboxURL, FlagValue.text),
        .value(
            "api-keys", "FILE",
            "lines `bundle_id = issuer_id key_id FILE.p8`, `*` for all other apps; only its owner"
                + " may read it and the .p8 files", of: [.run, .doctor, .explain] + service,
            to: \.apiKeys
        ) { text in try FlagValue.text(text) },
        .bare(
            "refund-sweep",
            "before users are judged, read the refund notices that Apple sent to the servers of the"
                + " apps with a line in --api-keys, and report refunds that no receipt shows",
            to: \.sweepsRefunds),
        .value(
            "ca-file", "FILE", "trust the certificate authorities in this PEM file instead",
            default: .described("those of the system"), of: [.run, .doctor, .explain] + service,
            to: \.caFile
        ) { text in try FlagValue.text(text) },
        .value(
            "shared-secrets", "FILE",
            "lines `bundle_id = secret`, `*` for all other apps; only its owner may read it",
            of: [.run, .doctor, .explain] + service, to: \.sharedSecrets
        ) { text in try FlagValue.text(text) },
    ]

    private static let service: [CommandName] = [.validate, .serve]
    /// Commands whose pace of requests can be set.
    private static let asking: [CommandName] = [.run] + service

    private static let pace: [Flag] = [
        .value(
            "rate", "N", "maximum requests per second to verifyReceipt's production server",
            default: .value("10"),
            of: asking, to: \.rate, FlagValue.number(atLeast: 0)),
        .value(
            "sandbox-rate", "N", "maximum requests per second to its sandbox",
            default: .described("--rate"), of: asking, to: \.sandboxRate
        ) { text in try FlagValue.number(atLeast: 0)(text) },
        .value(
            "api-rate", "N",
            "maximum requests per second to the App Store Server API; to its sandbox a tenth",
            default: .value("20"), of: asking, to: \.apiRate, FlagValue.number(atLeast: 0)),
        .value(
            "burst", "N",
            "size of verifyReceipt's token buckets: requests that may start at once after a pause",
            default: .described("--rate"), of: asking, to: \.burst
        ) { text in try FlagValue.number(atLeast: 1)(text) },
        .value(
            "in-flight", "N", "maximum requests in flight at one time",
            default: .value("16"), of: asking, to: \.inFlight, FlagValue.wholeNumber(1...1_000)),
        .value(
            "timeout", "DURATION", "how long one attempt may take", default: .value("15s"),
            of: [.run, .doctor, .explain] + service, to: \.timeout,
            FlagValue.duration(.milliseconds(1))),
        .value(
            "connect-timeout", "DURATION", "how long connecting may take", default: .value("5s"),
            of: asking, to: \.connectTimeout, FlagValue.duration(.milliseconds(1))),
        .value(
            "max-attempts", "N",
            "maximum attempts for one receipt, or one request of the API, at each server",
            default: .value("4"), of: asking, to: \.maxAttempts, FlagValue.wholeNumber(1...100)),
        .value(
            "backoff", "DURATION", "base of the exponential backoff between attempts (full jitter)",
            default: .value("1s"), of: asking, to: \.backoff, FlagValue.duration(.zero)),
        .value(
            "receipt-deadline", "DURATION",
            "how long all attempts for one receipt, or one request of the API, may take",
            default: .described("60s; service: 20s"), of: asking, to: \.receiptDeadline,
            FlagValue.duration(.milliseconds(1))),
        .value(
            "outage-patience", "DURATION", "how long to wait out an outage of Apple's servers",
            default: .described("10m; service: 30s for each request"), of: asking,
            to: \.outagePatience, FlagValue.duration(.zero)),
    ]

    private static let rules: [Flag] = [
        .value(
            "settle", "DURATION",
            "do not yet report a disagreement that began less than this before --as-of",
            default: .value("24h"), of: [.run, .explain], to: \.settle, FlagValue.duration(.zero)),
        .value(
            "tolerance", "DURATION", "how far two expiries may differ and still count as equal",
            default: .value("60s"), of: [.run, .explain], to: \.tolerance, FlagValue.duration(.zero)
        ),
        .value(
            "event-horizon", "DURATION",
            "do not report events older than this; refunds among them are remembered",
            default: .value("90d"), of: [.run, .explain], to: \.eventHorizon,
            FlagValue.duration(.zero)),
        .value(
            "units-days", "DAYS",
            "count what Apple sold and refunded on this many whole Pacific days before --as-of",
            default: .value("62"), to: \.unitDays, FlagValue.wholeNumber(1...366)),
    ]

    private static let scope: [Flag] = [
        Flag(
            "user", .list(placeholder: "ID"), "only this user; repeatable",
            of: [.run, .prune, .explain, .exportReceipts]
        ) { text, _, configuration in
            configuration.users.append(UserID(try FlagValue.text(text)))
        },
        Flag(
            "receipt", .list(placeholder: "ID"),
            "only the user of this receipt; repeatable. `inspect`: the stored receipt itself",
            of: [.run, .inspect, .explain, .evidence]
        ) { text, _, configuration in
            configuration.receipts.append(ReceiptID(try FlagValue.text(text)))
        },
        .value(
            "limit", "N", "only the first N users; `runs`: at most N runs (default 20)",
            of: [.run, .runs], to: \.limit
        ) { text in try FlagValue.wholeNumber(1...Int.max)(text)
        },
    ]

    private static let verdict: [Flag] = [
        .value(
            "max-runtime", "DURATION",
            "stop validating and publish after this time; receipts not yet validated are"
                + " unverified, and the status is 3",
            to: \.maxRuntime
        ) { text in try FlagValue.duration(.milliseconds(1))(text) },
        .value(
            "max-unverified", "N%|N",
            "exit with status 3 if more receipts are unverified: a share (N% or 0.NN) or a number",
            default: .value("1%"), to: \.maxUnverified, FlagValue.allowance),
        .value(
            "fail-on", "SEVERITY", "exit with status 1 on findings of this or a higher severity",
            default: .value("none"), to: \.failOn
        ) { text in try FlagValue.choice(text) },
        .bare(
            "allow-writable-role", "run even if the database role could change receipts",
            of: [.run, .doctor], to: \.allowsWritableRole),
        .bare(
            "live",
            "also ask Apple: `doctor` about one deliberately bad receipt, and one transaction that"
                + " does not exist, for each app; `explain` about the customer's receipts, to show"
                + " what has changed; nothing is stored",
            of: [.doctor, .explain], to: \.asksLive),
        .bare(
            "dry-run",
            "print what would be requested, how long it would take, and which folders --keep"
                + " would remove; then exit", of: [.run, .prune], to: \.isDryRun),
    ]

    private static let display: [Flag] = [
        .value(
            "log-format", "text|json", "format of the log on stderr", default: .value("text"),
            of: CommandName.allCases, to: \.logFormat
        ) { text in try FlagValue.choice(text) },
        .value(
            "log-level", "LEVEL", "lowest level that is logged: error, warning, info or debug",
            default: .value("info"), of: CommandName.allCases, to: \.logLevel
        ) { text in try FlagValue.choice(text) },
        .value(
            "progress", "auto|always|never", "show progress; auto: a progress bar on a terminal",
            default: .value("auto"), to: \.progress
        ) { text in try FlagValue.choice(text) },
        .value(
            "metrics-file", "FILE",
            "write the run's metrics for the textfile collector of node_exporter",
            to: \.metricsFile
        ) { text in try FlagValue.text(text) },
        .value(
            "ping-url", "URL",
            "ping a monitor: URL/start, then URL or URL/fail with the last line; may hold a secret",
            to: \.pingURL
        ) { text in try FlagValue.text(text) },
        .bare(
            "quiet", "print nothing on success, only the last line on failure",
            of: CommandName.allCases, to: \.isQuiet),
        .value(
            "output", "text|json|none", "format of the output on stdout", default: .value("text"),
            of: [.run, .doctor, .inspect, .explain, .runs, .period, .diff, .tieOut], to: \.output
        ) { text in try FlagValue.choice(text) },
    ]
}
