internal import Reconcile

/// `reconcile-job migrate`: creates and upgrades the job's own tables.
struct MigrateCommand: Sendable {
    private let configuration: Configuration
    private let console: Console

    init(_ configuration: Configuration, _ console: Console) {
        (self.configuration, self.console) = (configuration, console)
    }

    func run() async throws -> Ending {
        // Seam: connect to `configuration.database` (69) and apply what is pending here.
        throw Ending(
            .unavailable, "This build is not connected to a database yet. Take a later one.")
    }
}
