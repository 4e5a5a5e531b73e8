internal import Reconcile

/// `reconcile-job accept`: accepts a known finding, withdraws its acceptance, or lists all.
struct AcceptCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let settings = configuration.acceptance
        if settings.isList { return try await list() }
        if let until = settings.until, until <= .now {
            throw Ending(
                .usage,
                "--until: \(until) is in the past, so nothing would be accepted. Give a later "
                    + "day, or leave it out. Try `reconcile-job accept --help`.")
        }
        let acceptance = Acceptance(
            finding: settings.finding, by: settings.by, why: settings.why, until: settings.until,
            isUndo: settings.isUndo)
        let known = try await withDatabase { try await $0.acceptances.accept(acceptance) }
        let user = known.user.map { " of user \($0)" } ?? ""
        let run = known.run.map { ", last reported by run \($0)" } ?? ""
        let kind = known.kind.map { "\($0.rawValue)" } ?? "a kind that this release does not know"
        let what = "\(kind)\(user), finding \(known.id)\(run)"
        guard !settings.isUndo else {
            return Ending(
                .complete,
                "No longer accepted: \(what). Later runs count it again.")
        }
        let end = settings.until.map { "up to \($0)" } ?? "until further notice"
        return Ending(
            .complete,
            "Accepted \(end): \(what). Later runs show it as accepted and leave it out of money "
                + "and --fail-on.")
    }

    private func list() async throws -> Ending {
        let accepted = try await withDatabase { try await $0.acceptances.list() }
        let lines = accepted.map { finding in
            let user = finding.user.map { " of user \($0)" } ?? ""
            let end = finding.until.map { "until \($0)" } ?? "until further notice"
            let line =
                "\(finding.id) \(finding.kind?.rawValue ?? "(a kind of another release)")\(user),"
                + " accepted by"
                + " \(finding.by) \(end): \(finding.why)"
            return line.escapingControls() + "\n"
        }
        try StandardStream.print(lines.joined())
        return Ending(
            .complete,
            accepted.count == 1
                ? "1 finding is accepted now." : "\(accepted.count) findings are accepted now.")
    }

    private func withDatabase<T: Sendable>(
        _ body: (Database) async throws -> T
    ) async throws -> T {
        try await Database.lend(configuration.database?.text ?? "", connections: 1) { database in
            try await database.schema.check()
            return try await body(database)
        }
    }
}
