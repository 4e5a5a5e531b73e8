internal import Reconcile

/// `reconcile-job accept`: somebody has looked at a finding and lets it stand. Later runs show it
/// as accepted, outside money and `--fail-on`.
struct AcceptCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let settings = configuration.acceptance
        if let until = settings.until, until <= .now {
            throw Ending(
                .usage,
                "--until: \(until) lies in the past, so nothing would be accepted. Name a later "
                    + "day, or leave it out. Try `reconcile-job accept --help`.")
        }
        let acceptance = Acceptance(
            finding: settings.finding, by: settings.by, why: settings.why, until: settings.until)
        let address = configuration.database?.text ?? ""
        let known = try await Database.lend(address, connections: 1) { database in
            try await database.schema.check()
            return try await database.acceptances.accept(acceptance)
        }
        let user = known.user.map { " of user \($0)" } ?? ""
        let end = settings.until.map { "up to \($0)" } ?? "until further notice"
        return Ending(
            .complete,
            "Accepted \(end): \(known.kind.rawValue)\(user), finding \(settings.finding), last "
                + "reported by run \(known.run). Runs from now on show it as accepted, outside "
                + "money and --fail-on.")
    }
}
