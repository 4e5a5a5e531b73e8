internal import Reconcile

extension Flag {
    /// In the order of `--help`.
    static let all: [Flag] =
        source + apple + pace + rules + scope + continuity + guards + verdict + inspection
        + acceptance + downloads + desk
        + simulation
        + display

    private static let source: [Flag] = [
        Flag(
            "database", .value(placeholder: "CONNECTION"),
            "where PostgreSQL is: a URI or key words of libpq, without a password",
            default: .described("DATABASE_URL, else libpq's own PG* variables"),
            of: [
                .run, .doctor, .check, .inspect, .validate, .serve, .openKey, .explain, .evidence,
                .exportReceipts, .runs, .diff, .report, .verify, .migrate, .accept, .release,
                .retract, .prune,
            ],
            otherVariable: "DATABASE_URL"
        ) { text, origin, configuration throws(InvalidValue) in
            let address = DatabaseAddress(text: try FlagValue.text(text))
            configuration.database = try address.checked(from: origin)
        },
        .bare(
            "with-reference-app",
            "also make schema app, the tables of a small receipt service, and the views over it",
            of: [.migrate], to: \.withReferenceApp),
        .value(
            "roles", "print|apply",
            "only role reconcile_job, which may read the views and write the job's own tables:"
                + " print its SQL on stdout, or apply it to the database", of: [.migrate],
            to: \.roles
        ) { text throws(InvalidValue) in try FlagValue.choice(text) },
        .value(
            "reports", "FOLDER", "where a folder for each run is made",
            default: .value("reports"), of: [.run, .doctor, .report, .release, .retract, .prune],
            to: \.reports,
            FlagValue.text),
        .value(
            "reports-group", "GROUP",
            "give the reports to this group, which may read them; a name or a number",
            default: .described("the group that new files get in that folder"),
            of: [.run, .doctor, .report], to: \.reportsGroup
        ) { text throws(InvalidValue) in try FlagValue.text(text) },
        .value(
            "keep", "N",
            "remove the folders that are older than the last N nights, after a run over everything"
                + " or with prune; never the one that latest leads to",
            of: [.run, .prune], to: \.keptNights
        ) { text throws(InvalidValue) in try FlagValue.wholeNumber(1...100_000)(text) },
        .value(
            "csv-dialect", "plain|excel",
            "excel: CSV with a byte order mark, ' before ids that a spreadsheet would round, and a"
                + " new file after 1,000,000 rows", default: .value("plain"), to: \.csvDialect
        ) { text throws(InvalidValue) in try FlagValue.choice(text) },
        .value(
            "as-of", "INSTANT", "judge, or arrange the first night, at this instant, in RFC 3339",
            default: .described("when the command starts"),
            of: [.run, .inspect, .explain, .simulate],
            to: \.asOf
        ) { text throws(InvalidValue) in try FlagValue.instant(text) },
    ]

    private static let apple: [Flag] = [
        .value(
            "production-url", "URL", "Apple's production server, or a stand-in for it",
            default: .value("https://buy.itunes.apple.com/verifyReceipt"),
            of: [.run, .doctor, .explain] + service, to: \.productionURL, FlagValue.text),
        .value(
            "sandbox-url", "URL", "Apple's sandbox, or a stand-in for it",
            default: .value("https://sandbox.itunes.apple.com/verifyReceipt"),
            of: [.run, .doctor, .explain] + service, to: \.sandboxURL, FlagValue.text),
        .value(
            "ca-file", "FILE", "trust the certificate authorities in this PEM file instead",
            default: .described("those of the system"), of: [.run, .doctor, .explain] + service,
            to: \.caFile
        ) { text throws(InvalidValue) in try FlagValue.text(text) },
        .value(
            "shared-secrets", "FILE",
            "lines `bundle_id = secret`, `*` for the rest; readable by its owner alone",
            of: [.run, .doctor, .explain] + service, to: \.sharedSecrets
        ) { text throws(InvalidValue) in try FlagValue.text(text) },
    ]

    /// The commands of the receipt validation service that ask Apple.
    private static let service: [CommandName] = [.validate, .serve]
    /// The commands that ask Apple about receipts.
    private static let asking: [CommandName] = [.run] + service

    private static let pace: [Flag] = [
        .value(
            "rate", "N", "requests a second to production, at most", default: .value("10"),
            of: asking, to: \.rate, FlagValue.number(atLeast: 0)),
        .value(
            "sandbox-rate", "N", "requests a second to the sandbox, at most",
            default: .described("the rate"), of: asking, to: \.sandboxRate
        ) { text throws(InvalidValue) in try FlagValue.number(atLeast: 0)(text) },
        .value(
            "burst", "N", "requests that may start at once after a pause",
            default: .described("the rate"), of: asking, to: \.burst
        ) { text throws(InvalidValue) in try FlagValue.number(atLeast: 1)(text) },
        .value(
            "in-flight", "N", "requests that may be under way at one time",
            default: .value("16"), of: asking, to: \.inFlight, FlagValue.wholeNumber(1...1_000)),
        .value(
            "timeout", "DURATION", "how long one attempt may take", default: .value("15s"),
            of: [.run, .doctor, .explain] + service, to: \.timeout,
            FlagValue.duration(.milliseconds(1))),
        .value(
            "connect-timeout", "DURATION", "how long connecting may take", default: .value("5s"),
            of: asking, to: \.connectTimeout, FlagValue.duration(.milliseconds(1))),
        .value(
            "max-attempts", "N", "attempts for one receipt at each of the two servers",
            default: .value("4"), of: asking, to: \.maxAttempts, FlagValue.wholeNumber(1...100)),
        .value(
            "backoff", "DURATION", "the base of the growing, random wait between attempts",
            default: .value("1s"), of: asking, to: \.backoff, FlagValue.duration(.zero)),
        .value(
            "receipt-deadline", "DURATION", "how long all attempts for one receipt may take",
            default: .described("60s; of the service 20s"), of: asking, to: \.receiptDeadline,
            FlagValue.duration(.milliseconds(1))),
        .value(
            "outage-patience", "DURATION", "how long to wait for Apple to come back",
            default: .described("10m; of the service 30s, by request"), of: asking,
            to: \.outagePatience, FlagValue.duration(.zero)),
    ]

    private static let rules: [Flag] = [
        .value(
            "settle", "DURATION", "do not report what happened so shortly before --as-of",
            default: .value("24h"), of: [.run, .explain], to: \.settle, FlagValue.duration(.zero)),
        .value(
            "tolerance", "DURATION", "how far two expiries may lie apart and still be equal",
            default: .value("60s"), of: [.run, .explain], to: \.tolerance, FlagValue.duration(.zero)
        ),
        .value(
            "event-horizon", "DURATION", "remember, but do not report, events older than this",
            default: .value("90d"), of: [.run, .explain], to: \.eventHorizon,
            FlagValue.duration(.zero)),
    ]

    private static let scope: [Flag] = [
        Flag(
            "user", .list(placeholder: "ID"), "only this user; may be repeated",
            of: [.run, .prune, .explain, .exportReceipts]
        ) {
            text, _, configuration throws(InvalidValue) in
            configuration.users.append(UserID(try FlagValue.text(text)))
        },
        Flag(
            "receipt", .list(placeholder: "ID"),
            "only the user of this receipt; repeatable. Of `inspect` the stored receipt itself",
            of: [.run, .inspect, .explain, .evidence]
        ) {
            text, _, configuration throws(InvalidValue) in
            configuration.receipts.append(ReceiptID(try FlagValue.text(text)))
        },
        .value(
            "limit", "N", "only the first so many users; of `runs` so many runs (20)",
            of: [.run, .runs], to: \.limit
        ) {
            text throws(InvalidValue) in try FlagValue.wholeNumber(1...Int.max)(text)
        },
    ]

    private static let verdict: [Flag] = [
        .value(
            "max-runtime", "DURATION",
            "publish after this time; what was not asked is unverified, and the status is 3",
            to: \.maxRuntime
        ) { text throws(InvalidValue) in try FlagValue.duration(.milliseconds(1))(text) },
        .value(
            "max-unverified", "N%|N", "more unverified receipts than this make the status 3",
            default: .value("1%"), to: \.maxUnverified, FlagValue.allowance),
        .value(
            "fail-on", "SEVERITY", "findings of this severity or a worse one make the status 1",
            default: .value("none"), to: \.failOn
        ) { text throws(InvalidValue) in try FlagValue.choice(text) },
        .bare(
            "allow-writable-role", "run although the database role could change receipts",
            of: [.run, .doctor], to: \.allowsWritableRole),
        .bare(
            "live",
            "also ask Apple: `doctor` about one deliberately bad receipt for each app, `explain`"
                + " about the customer's receipts, to show what has changed; nothing of it is kept",
            of: [.doctor, .explain], to: \.asksLive),
        .bare(
            "dry-run",
            "say what would be asked, how long it would take, and which folders --keep would"
                + " remove, and stop", of: [.run, .prune], to: \.isDryRun),
    ]

    private static let display: [Flag] = [
        .value(
            "log-format", "text|json", "how stderr is written", default: .value("text"),
            of: CommandName.allCases, to: \.logFormat
        ) { text throws(InvalidValue) in try FlagValue.choice(text) },
        .value(
            "log-level", "LEVEL", "the least that is logged: error, warning, info or debug",
            default: .value("info"), of: CommandName.allCases, to: \.logLevel
        ) { text throws(InvalidValue) in try FlagValue.choice(text) },
        .value(
            "progress", "auto|always|never", "show progress; auto: as a bar on a terminal",
            default: .value("auto"), to: \.progress
        ) { text throws(InvalidValue) in try FlagValue.choice(text) },
        .value(
            "metrics-file", "FILE",
            "write the run's numbers for the textfile collector of node_exporter",
            to: \.metricsFile
        ) { text throws(InvalidValue) in try FlagValue.text(text) },
        .value(
            "ping-url", "URL",
            "tell a monitor: URL/start, then URL or URL/fail with the last line; may hold a secret",
            to: \.pingURL
        ) { text throws(InvalidValue) in try FlagValue.text(text) },
        .bare(
            "quiet", "print nothing on success, and the last line otherwise",
            of: CommandName.allCases, to: \.isQuiet),
        .value(
            "output", "text|json|none", "what is printed on stdout", default: .value("text"),
            of: [.run, .doctor, .inspect, .explain, .runs, .diff], to: \.output
        ) { text throws(InvalidValue) in try FlagValue.choice(text) },
    ]
}
