internal import Reconcile

/// `reconcile-job export-receipts`: the newest receipt that Apple signed, by user and app.
struct ExportReceiptsCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        guard configuration.users.count <= 1 else {
            throw Ending(.usage, "export-receipts takes one --user, or none for all.")
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
                "No receipt of user \(user) was kept: only answers about auto-renewable"
                    + " subscriptions have one, and run keeps it as --keep-receipts says.")
        }
        return Ending(
            .complete,
            "\(count) receipts as Apple signed them. They are credentials: protect the file"
                + " like the stored receipts.")
    }
}
