internal import Reconcile

/// `reconcile-job period`: adds up what the nightly runs of some days told.
struct PeriodCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let settings = configuration.period
        let (path, summary) = try await configuration.withDatabase(connections: 2) { database in
            try await publish(FinancialPeriod(try settings.days(), of: settings.app), database)
        }
        let lines = PeriodText.lines(summary, folder: path)
        switch configuration.isQuiet ? .none : configuration.output {
        case .text: try StandardStream.print(lines.joined(separator: "\n") + "\n")
        case .json: try StandardStream.print(PeriodJSON.bytes(summary))
        case .none: break
        }
        let reservations = PeriodText.reservations(summary).map { " " + $0 }.joined()
        return Ending(.complete, "The period is written to \(path).\(reservations)")
    }

    /// A run that is published or taken back meanwhile changes what its statements read, so they
    /// are read again.
    private func publish(
        _ period: FinancialPeriod, _ database: Database
    ) async throws -> (path: String, summary: PeriodSummary) {
        for _ in 0..<Self.mostAttempts {
            let history = try await database.periods.history()
            let runs = try choose(period, history)
            try await requireFindings(of: period.app, database)
            let group = try configuration.group()
            let reports = try RangeFolder.reports(configuration.reports, group: group)
            let movements = try await database.periods.movements(of: runs, period.app)
            let folder = try PeriodFolder(reports: reports, period, group: group)
            do {
                return try await folder.publish(
                    runs, movements,
                    { ReportRows(database.periods.events(of: period, in: $0)) },
                    codeVersion: Version.text,
                    fence: {
                        try Task.checkCancellation()
                        guard try await database.periods.history() == history else {
                            throw HistoryChanged()
                        }
                    })
            } catch is HistoryChanged {
                continue
            }
        }
        throw Ending(
            .locked, "Runs are published or taken back all the time. Give the command again later.")
    }

    private struct HistoryChanged: Error {}

    private static let mostAttempts = 5

    private func requireFindings(of app: BundleID?, _ database: Database) async throws {
        guard let app else { return }
        guard try await database.periods.hasFindings(of: app) else {
            throw Ending(
                .unknownID,
                "No finding of a published run names the app \(app.text.debugDescription). Check"
                    + " --bundle: it counts as it is written.")
        }
    }

    private func choose(
        _ period: FinancialPeriod, _ history: [PeriodRuns.Night]
    ) throws -> PeriodRuns {
        do throws(PeriodRuns.Missing) {
            return try PeriodRuns(of: period.days, in: history)
        } catch {
            throw Ending(.unknownID, error.description)
        }
    }
}

/// The days of `period`: exactly one of `--month`, `--fiscal`, and `--from` with `--to`.
struct PeriodSettings: Equatable, Sendable {
    var month: CalendarMonth?
    var fiscal: CalendarMonth?
    var from: Instant?
    var to: Instant?
    var app: BundleID?

    /// Of `--from` and `--to`; nil without both, and when the last day is before the first.
    var range: PacificDays? {
        from.flatMap { first in to.flatMap { PacificDays(first: first, last: $0) } }
    }

    func days() throws(InvalidValue) -> PacificDays {
        let isRange = from != nil || to != nil
        guard [month != nil, fiscal != nil, isRange].count(where: \.self) == 1 else {
            throw InvalidValue(
                "Give the days once: --month 2026-10, --fiscal 2026-11, or --from DAY --to DAY.")
        }
        if let month { return month.days }
        if let fiscal { return fiscal.fiscalDays }
        guard let from, let to else {
            throw InvalidValue("--from and --to go together: the first day and the last.")
        }
        guard let days = PacificDays(first: from, last: to) else {
            throw InvalidValue("--to is before --from.")
        }
        return days
    }
}
