internal import Reconcile

/// `reconcile-job export-receipts`: the newest receipt that Apple signed of each user and app, for
/// the team to store in the place of the old one. A JSON object a line, on stdout.
struct ExportReceiptsCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        guard configuration.users.count <= 1 else {
            throw Ending(.usage, "export-receipts is about all users, or one: give --user once.")
        }
        let user = configuration.users.first
        let count = try await configuration.withDatabase { database in
            var count = 0
            for try await receipts in database.keptReceipts.all(of: user) {
                try StandardStream.print(receipts.flatMap(ExportedReceipt.line))
                count += receipts.count
            }
            return count
        }
        if count == 0, let user {
            throw Ending(
                .unknownID,
                "No receipt of user \(user) is kept: only answers about auto-renewable"
                    + " subscriptions carry one, and run keeps it by --keep-receipts.")
        }
        return Ending(
            .complete,
            "\(count) receipts as Apple signed them. They are credentials: keep the file as you"
                + " keep the stored ones.")
    }
}
