internal import Reconcile

/// `reconcile-job evidence`: prints stored answers of Apple's byte for byte, or the receipt in one.
struct EvidenceCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let (found, run) = try await configuration.withDatabase { database in
            try await find(in: database)
        }
        switch found {
        case .notice(let bytes):
            try StandardStream.print(bytes)
            return Ending(
                .complete,
                "\(bytes.count) bytes, as run \(run) received them from"
                    + " \(AnswerSource.serverAPI.name): a notice, signed as a whole. The column"
                    + " evidence_sha256 is their SHA-256.")
        case .answers(let answers):
            guard !configuration.investigation.isSigned else {
                return try printSigned(answers, run)
            }
            try StandardStream.print(answers.all.flatMap(\.bytes))
            return Ending(.complete, message(answers, run))
        }
    }

    private enum Found: Sendable {
        case answers(EvidenceReader.Answers)
        /// Of a refund that no stored receipt shows.
        case notice([UInt8])
    }

    /// Whose answers they are. Of several, where each is in what was printed.
    private func message(_ answers: EvidenceReader.Answers, _ run: RunListing) -> String {
        let count = answers.all.reduce(0) { $0 + $1.bytes.count }
        let source = answers.all.first.map { " from \($0.source.name)" } ?? ""
        let received = "\(count) bytes, as run \(run) received them\(source)"
        guard answers.all.count > 1 else {
            return "\(received). The column evidence_sha256 is their SHA-256."
                + (answers.mayHaveOthers ? " \(Self.others)" : "")
        }
        var lines = 0
        let each = answers.all.map { answer in
            let first = lines + 1
            lines += answer.bytes.count { $0 == UInt8(ascii: "\n") }
            let about = answer.receipt.map { ", asked for receipt \($0)" } ?? ""
            return "lines \(first) to \(lines) are answer \(answer.digest)\(about)"
        }
        return "\(received): \(answers.all.count) customers, one after another;"
            + " \(each.joined(separator: "; "))."
            + (answers.mayHaveOthers ? " \(Self.others)" : "")
    }

    private static let others =
        "The stored receipt cannot be read, so that these are all answers about the user's"
        + " customers: some may stand for other receipts only."

    private func printSigned(
        _ answers: EvidenceReader.Answers, _ run: RunListing
    ) throws -> Ending {
        guard let answer = answers.all.first, answer.source == .verifyReceipt else {
            throw Ending(
                .unknownID,
                "Each line of an answer of \(AnswerSource.serverAPI.name) is signed by itself."
                    + " Leave out --signed, or give --source verify-receipt.")
        }
        guard let signed = SourceWiring.signedReceipt(in: answer.bytes) else {
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

    private func find(in database: Database) async throws -> (Found, RunListing) {
        switch (configuration.investigation.finding, configuration.receipts.count) {
        case (let finding?, 0): return try await evidence(ofFinding: finding, database)
        case (nil, 1):
            let run = try await database.knownRuns.run(named: configuration.namedRun ?? .latest)
            let receipt = configuration.receipts[0]
            let user = try await database.customers.user(of: .receipt(receipt), in: run)
            let found = try await answers(
                to: receipt, of: user, in: run, from: meantSource, database)
            return (.answers(found), run)
        default:
            throw Ending(
                .usage, "evidence prints the answers to one: give --finding or --receipt.")
        }
    }

    private func answers(
        to receipt: ReceiptID, of user: UserID, in run: RunListing, from source: AnswerSource?,
        _ database: Database
    ) async throws -> EvidenceReader.Answers {
        // The role that may read answers need not read receipts.
        let stored = try? await database.storedReceipts.receipt(receipt)
        return try await database.keptAnswers.answers(
            to: receipt, of: user, in: run, from: source,
            naming: stored.map(StoredCustomers.named), reading: SourceWiring.history)
    }

    /// Nil: those of the App Store Server API, if there are any.
    private var meantSource: AnswerSource? {
        guard configuration.given.contains("source") else {
            return configuration.investigation.isSigned ? .verifyReceipt : nil
        }
        switch configuration.source {
        case .verifyReceipt: return .verifyReceipt
        case .serverAPI: return .serverAPI
        case .both: return nil
        }
    }

    private func evidence(
        ofFinding finding: String, _ database: Database
    ) async throws -> (Found, RunListing) {
        let (known, run) = try await configuration.finding(finding, database)
        let row = try await database.customers.finding(known.id, in: run)
        guard let receipt = row.finding.receipt, let user = row.finding.user else {
            return (.notice(try await database.keptAnswers.notice(behind: row, in: run)), run)
        }
        guard let digest = row.finding.evidenceSHA256 else {
            let found = try await answers(
                to: receipt, of: user, in: run, from: row.finding.source, database)
            return (.answers(found), run)
        }
        let answers = try await database.keptAnswers.answers(
            with: digest, to: receipt, of: user, in: run)
        return (.answers(answers), run)
    }
}
