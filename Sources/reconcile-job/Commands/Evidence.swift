internal import Reconcile

/// `reconcile-job evidence`: prints a stored App Store answer byte for byte, or its receipt.
struct EvidenceCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let (body, run) = try await configuration.withDatabase { database in
            try await answer(database)
        }
        guard !configuration.investigation.isSigned else { return try printSigned(body, run) }
        try StandardStream.print(body)
        return Ending(
            .complete,
            "\(body.count) bytes, as run \(run) received them from Apple. The column"
                + " evidence_sha256 is their SHA-256.")
    }

    private func printSigned(_ body: [UInt8], _ run: RunListing) throws -> Ending {
        guard let signed = SourceWiring.signedReceipt(in: body) else {
            throw Ending(
                .unknownID,
                "The answer has no latest_receipt: only answers about auto-renewable"
                    + " subscriptions do.")
        }
        try StandardStream.print(signed)
        return Ending(
            .complete,
            "\(signed.count) bytes, as run \(run) received them in the answer."
                + " docs/disputes.md has the two openssl commands that check Apple's signature"
                + " of them.")
    }

    private func answer(_ database: Database) async throws -> ([UInt8], RunListing) {
        switch (configuration.investigation.finding, configuration.receipts.count) {
        case (let finding?, 0): return try await answer(toFinding: finding, database)
        case (nil, 1):
            let run = try await database.knownRuns.run(named: configuration.namedRun ?? .latest)
            let receipt = configuration.receipts[0]
            let user = try await database.customers.user(of: .receipt(receipt), in: run)
            let body = try await database.customers.answer(to: receipt, of: user, in: run)
            return (body, run)
        default:
            throw Ending(.usage, "evidence prints one answer: give --finding or --receipt.")
        }
    }

    private func answer(
        toFinding finding: String, _ database: Database
    ) async throws -> ([UInt8], RunListing) {
        let (known, run) = try await configuration.finding(finding, database)
        let row = try await database.customers.finding(known.id, in: run)
        guard let receipt = row.finding.receipt, let user = row.finding.user else {
            throw Ending(
                .unknownID,
                "Finding \(known.id) is not based on an answer: its row names no receipt.")
        }
        let body = try await database.customers.answer(
            to: receipt, of: user, in: run, digest: row.finding.evidenceSHA256)
        return (body, run)
    }
}
