/// Reads, before any user is judged, what Apple sent to the servers of whole apps: notices of
/// refunds, of refunds taken back, and of purchases revoked. What fails ends no run: the app's
/// sweep is incomplete, and nothing is concluded from it.
package struct RefundSweep: Sendable {
    let notices: any RefundNotices
    let apps: [BundleID]

    /// - Parameter apps: in the order in which they are read.
    package init(_ notices: any RefundNotices, of apps: [BundleID]) {
        self.notices = notices
        self.apps = apps
    }

    /// The transaction in a kept notice.
    func refund(in payload: [UInt8]) -> Receipt? { type(of: notices).refund(in: payload) }
}

extension RefundSweep {
    /// Sweeps the apps that no other worker of the run sweeps, and waits for the others.
    func sweep(
        _ run: Run, as worker: Int, asking: Asking, before deadline: Deadline?,
        in database: Database, observe: @Sendable (RunEvent) -> Void
    ) async throws {
        try await database.sweeps.open(apps, in: run.id)
        while true {
            if let app = try await database.sweeps.claim(in: run.id, for: worker) {
                let failure = try await sweep(
                    app.bundle, from: app.from, of: run, asking, before: deadline, in: database)
                if let failure { observe(.sweepFailed(of: app.bundle, failure)) }
                try await database.sweeps.end(app.bundle, failure: failure, in: run.id)
            } else if try await database.sweeps.hasOpen(in: run.id) {
                try await ContinuousClock().sleep(for: .milliseconds(500))
            } else {
                return
            }
        }
    }

    /// What failed, in words; nil when all pages of all kinds were read.
    private func sweep(
        _ bundle: BundleID, from start: Instant, of run: Run, _ asking: Asking,
        before deadline: Deadline?, in database: Database
    ) async throws -> String? {
        for kind in RefundNotice.Kind.allCases {
            let window = NoticeWindow(bundle: bundle, kind: kind, from: start, to: run.asOf)
            let exchange = notices.exchange(about: window) { notices in
                try await database.sweeps.add(notices, of: bundle, in: run.id)
            }
            let result = try await asking.look(
                at: Question(subject: .notices, bundle: bundle), of: nil, by: exchange,
                before: deadline, ifStopped: .leave)
            try await database.sweeps.record(result.requests, in: run.id)
            guard case .concluded(let report) = result, report.validation.isVerified else {
                return "\(kind.rawValue): \(result.failure)"
            }
        }
        return nil
    }
}

extension QuestionResult {
    fileprivate var failure: String {
        switch self {
        case .concluded(let report):
            [report.validation.cause, report.attempts.detail].compactMap(\.self)
                .joined(separator: ", ")
        case .refused(let refusal): refusal.attempts.detail ?? refusal.rejection.rawValue
        }
    }
}

extension RunEvent {
    fileprivate static func sweepFailed(of bundle: BundleID, _ failure: String) -> RunEvent {
        .warning(
            "The sweep of \(bundle)'s refund notices is incomplete (\(failure)): nothing is"
                + " concluded from it. The next run begins where the last whole one ended.")
    }
}
