/// A log entry: a level, a stable event name for scripts, and fields.
struct LogEntry {
    let level: Log.Level
    let event: String
    let fields: [(key: String, value: LogValue)]

    init(_ level: Log.Level, _ event: String, _ fields: [(key: String, value: LogValue)]) {
        self.level = level
        self.event = event
        self.fields = fields
    }

    init(_ event: RunEvent) {
        switch event {
        case .started(let run, let receipts, let users):
            self.init(
                .info, "started",
                run.fields + [("receipts", .integer(receipts)), ("users", .integer(users))])
        case .abandoned(let run):
            self.init(.warning, "abandoned", [("abandoned_run_id", .text(run.text))])
        case .resumed(let run, let batchesDone, let batches):
            self.init(
                .info, "resumed",
                run.fields + [
                    ("batches_done", .integer(batchesDone)), ("batches", .integer(batches)),
                ])
        case .joined(let run): self.init(.info, "joined", run.fields)
        case .databaseIsOut(let message):
            self.init(.warning, "waiting_for_database", [("message", .text(message))])
        case .databaseIsBack: self.init(.info, "database_answers", [])
        case .progressed(let progress): self.init(.info, "progress", progress.fields)
        case .skippedRow(let view, let id, let why):
            self.init(
                .warning, "skipped_row",
                [
                    ("view", .text(view)), ("id", id.map(LogValue.text) ?? .null),
                    ("why", .text(why)),
                ])
        case .skippedMoreRows(let rows):
            self.init(.warning, "skipped_rows", Self.fields(ofMoreRows: rows))
        case .rowsWithoutUser(let rows): self.init(.warning, "rows_without_user", rows.fields)
        case .warning(let message):
            self.init(.warning, "notice", [("message", .text(message))])
        case .serving(let socket): self.init(.info, "serving", [("socket", .text(socket))])
        case .pace(let change): self.init(change)
        case .requested(let line): self.init(.debug, "requested", line.fields)
        case .secondLook(let users, let groups):
            self.init(.info, "second_look", Self.fields(ofUsers: users, in: groups))
        case .controlRefused(let receipt):
            self.init(.warning, "control_refused", Self.fields(ofControl: receipt))
        case .implausible(let held): self.init(.warning, "implausible", held.fields)
        case .pruned(let runs): self.init(.info, "pruned", [("runs", .integer(runs))])
        case .removedReports(let folders):
            self.init(.info, "removed_reports", [("folders", .integer(folders))])
        case .published(let summary, let folder):
            let isHeld = summary.status == .held
            self.init(
                isHeld ? .warning : .info, isHeld ? "held" : "published",
                summary.fields(in: folder))
        }
    }

    private static func fields(
        ofUsers users: Int, in groups: Int
    ) -> [(key: String, value: LogValue)] {
        [("users", .integer(users)), ("groups", .integer(groups))]
    }

    private static func fields(ofMoreRows rows: Int) -> [(key: String, value: LogValue)] {
        let message =
            "More rows have a null that must not be one. All of them are listed in not_reported.csv"
            + " (invalid_row) and unverified.csv (stored_row_invalid). Correct the rows or the"
            + " views."
        return [("rows", .integer(rows)), ("message", .text(message))]
    }

    private static func fields(ofControl receipt: ReceiptID) -> [(key: String, value: LogValue)] {
        let message =
            "Apple refuses a receipt that it verified earlier in this run. Refused receipts are "
            + "sent again after --outage-patience."
        return [("receipt_id", .text(receipt.text)), ("message", .text(message))]
    }
}

extension Run {
    fileprivate var fields: [(key: String, value: LogValue)] {
        [("run_id", .text(id.text)), ("as_of", .text(asOf.description))]
    }
}

extension HeldReason {
    fileprivate var fields: [(key: String, value: LogValue)] {
        [
            ("guard", .text(by)), ("flag", flag.map(LogValue.text) ?? .null),
            ("message", .text(reason)),
        ]
    }
}

extension RowsWithoutUser {
    fileprivate var fields: [(key: String, value: LogValue)] {
        let message =
            "These rows have no user_id. They are counted as not judged and as unusable. Return the"
            + " user in the views, or leave the rows out."
        return [
            ("entitlements", .integer(entitlements)), ("receipts", .integer(receipts)),
            ("message", .text(message)),
        ]
    }
}

extension Summary {
    fileprivate func fields(in folder: String) -> [(key: String, value: LogValue)] {
        [
            ("run_id", .text(run.id.text)), ("folder", .text(folder)),
            ("status", .text(status.rawValue)), ("findings", .integer(findings.total)),
            ("receipts", .integer(receipts.inScope)),
            ("unverified", .integer(receipts[.unverified])),
        ]
    }
}

extension RequestLine {
    fileprivate var fields: [(key: String, value: LogValue)] {
        var fields: [(key: String, value: LogValue)] = [
            ("receipt_id", receipt.map { .text($0.text) } ?? .null),
            ("server", .text(server.rawValue)), ("attempt", .integer(attempt)),
            ("http_status", httpStatus.map(LogValue.integer) ?? .null),
            ("status", status.map(LogValue.integer) ?? .null),
            ("milliseconds", .integer(Int(duration.inMilliseconds))), ("bytes", .integer(bytes)),
            ("request_id", requestID.map(LogValue.text) ?? .null),
        ]
        if let failure { fields.append(("failure", .text(failure))) }
        return fields
    }
}

extension RunEvent.Progress {
    fileprivate var fields: [(key: String, value: LogValue)] {
        [
            ("receipts_done", .integer(receiptsDone)),
            ("receipts_in_scope", .integer(receiptsInScope)), ("findings", .integer(findings)),
            ("requests_sent", .integer(requestsSent)), ("in_flight", .integer(inFlight)),
            ("elapsed_seconds", .integer(Int(elapsed.components.seconds))),
        ]
    }
}

extension LogEntry {
    init(_ change: PaceChange) {
        switch change {
        case .rateHalved(let server, let rate):
            self.init(.warning, "rate_halved", [server.field, ("per_second", .decimal(rate))])
        case .rateRestored(let server, let rate):
            self.init(.info, "rate_restored", [server.field, ("per_second", .decimal(rate))])
        case .paused(let server, let duration):
            self.init(.warning, "paused", [server.field, duration.field])
        case .outageBegan(let source, let cause):
            self.init(
                .warning, "outage_began",
                [
                    source.field, ("cause", .text(cause)),
                    (
                        "message",
                        .text(
                            "Half of Apple's answers are failures: one request at a time is "
                                + "tried, and the others wait, for --outage-patience at most.")
                    ),
                ])
        case .clockDiffers(let server, let ours):
            let message =
                "Apple's clock says \(server), but this machine's says \(ours). Correct the clock"
                + " that is wrong, for example by NTP."
            self.init(.warning, "clock_differs", [("message", .text(message))])
        case .retirementAnnounced(let notice):
            self.init(
                .warning, "retirement_announced", [("message", .text(notice.sentence))])
        case .outageEnded(let source, let duration):
            self.init(.info, "outage_ended", [source.field, duration.field])
        case .outageGaveUp(let source, let duration):
            self.init(.error, "outage_gave_up", [source.field, duration.field])
        case .bundleStopped(let receipts, let cause):
            self.init(
                receipts.kind == .others ? .warning : .error, "bundle_stopped",
                receipts.fields + [("cause", .text(cause.rawValue))])
        case .bundlePaused(let receipts, let status):
            self.init(
                .warning, "bundle_paused", receipts.fields + [("status", .integer(status))])
        case .bundleResumed(let receipts, let duration):
            self.init(.info, "bundle_resumed", receipts.fields + [duration.field])
        }
    }
}

extension AppReceipts {
    fileprivate var fields: [(key: String, value: LogValue)] {
        [
            ("bundle_id", .text(bundle.text)),
            ("receipts", .text(kind.rawValue)),
        ]
    }
}

extension AnswerSource {
    fileprivate var field: (key: String, value: LogValue) { ("source", .text(rawValue)) }
}

extension AppleServer {
    fileprivate var field: (key: String, value: LogValue) {
        ("server", .text(rawValue))
    }
}

extension Duration {
    fileprivate var field: (key: String, value: LogValue) {
        ("seconds", .integer(Int(components.seconds)))
    }
}
