extension LogEntry {
    init(_ change: PaceChange) {
        switch change {
        case .rateHalved(let server, let rate):
            self.init(.warning, "rate_halved", [server.field, ("per_second", .decimal(rate))])
        case .rateRestored(let server, let rate):
            self.init(.info, "rate_restored", [server.field, ("per_second", .decimal(rate))])
        case .paused(let server, let duration):
            self.init(.warning, "paused", [server.field, duration.field])
        case .outageBegan(let cause):
            self.init(
                .warning, "outage_began",
                [
                    ("cause", .text(cause)),
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
        case .outageEnded(let duration): self.init(.info, "outage_ended", [duration.field])
        case .outageGaveUp(let duration):
            self.init(.error, "outage_gave_up", [duration.field])
        case .bundleStopped(let receipts, let cause):
            self.init(
                receipts.areApples ? .error : .warning, "bundle_stopped",
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
            ("receipts", .text(areApples ? "written_by_apple" : "others")),
        ]
    }
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
