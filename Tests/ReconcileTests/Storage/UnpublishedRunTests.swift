import Testing

@testable import Reconcile
@testable import TestSupport

/// A run that later runs do not count, and the SQL that makes a published run one.
private struct UnpublishedRun: CustomTestStringConvertible, Sendable {
    /// As it is named to an operator.
    let remark: String
    let change: String

    init(_ remark: String, _ change: String) {
        self.remark = remark
        self.change = change
    }

    var testDescription: String { remark }

    static let all = [
        UnpublishedRun("trial", "is_trial = true, makes_history = false"),
        UnpublishedRun("held", "state = 'held'"),
        UnpublishedRun("failed", "state = 'failed'"),
        UnpublishedRun("abandoned", "state = 'abandoned'"),
        UnpublishedRun(
            "abandoned trial", "state = 'abandoned', is_trial = true, makes_history = false"),
        UnpublishedRun("open", "state = 'open', finished_at = null"),
        UnpublishedRun(
            "retracted", "state = 'retracted', makes_history = false, retracted_at = now()"),
    ]
}

/// To add a case, copy a row of `UnpublishedRun.all`.
@Suite("Runs that are not published", .database)
struct UnpublishedRunTests: DatabaseSuite {
    /// A published night without a finding, and one with a finding, which then becomes `kind`.
    private func spend(
        _ kind: UnpublishedRun
    ) async throws -> (published: RunID, other: RunID, finding: ReportedFinding) {
        let first = try await nights.night(.of("bob", .running("2"), .granted))
        let second = try await nights.night(.of("ann", .ended(), .granted))
        let id = second.summary.run.id
        try await execute("update reconcile.run set \(kind.change) where run_id = '\(id)'")
        return (first.summary.run.id, id, try #require(second.findings.first))
    }

    @Test(
        "A finding of theirs is unknown, and the message names the run",
        arguments: UnpublishedRun.all)
    private func isUnknown(kind: UnpublishedRun) async throws {
        let spent = try await spend(kind)
        let error = try await databaseError {
            try await database.knownFindings.finding(beginningWith: spent.finding.id)
        }
        #expect(error.name == "unknown")
        #expect(
            error.description == """
                No published run has reported the finding \(spent.finding.id): it is of run \
                \(spent.other) (\(kind.remark)). Read it with --run \(spent.other); only what a \
                published run has reported can be accepted.
                """)
    }

    @Test("A finding of theirs cannot be accepted", arguments: UnpublishedRun.all)
    private func isNotAccepted(kind: UnpublishedRun) async throws {
        let spent = try await spend(kind)
        let error = try await databaseError { try await nights.accept(spent.finding.id) }
        #expect(error.name == "refused")
        #expect(try await database.acceptances.list() == [])
    }

    @Test(
        "The run that is named shows its finding, and says what it is",
        arguments: UnpublishedRun.all)
    private func isNamed(kind: UnpublishedRun) async throws {
        let spent = try await spend(kind)
        let run = try await database.knownRuns.run(named: RunListing.Name(spent.other.text))
        #expect(run.remark == kind.remark)
        let known = try await database.knownFindings.finding(
            beginningWith: spent.finding.id, in: spent.other)
        #expect(known.run == spent.other)
        let file = try await database.customers.file(
            of: "ann", in: run, reading: VerifyReceipt.history)
        #expect(file.findings.map(\.id) == [spent.finding.id])
        #expect(file.rights?.count == 1)
        let head = ExplainText(file).text.split(separator: "\n").first
        let expected = "User ann, in run \(spent.other) (\(kind.remark)), judged as of 2026-11-20"
        #expect(head?.hasPrefix(expected) == true, "\(head ?? "")")
    }

    @Test("The latest published run shows nothing of them", arguments: UnpublishedRun.all)
    private func isNotShown(kind: UnpublishedRun) async throws {
        let spent = try await spend(kind)
        let latest = try await database.knownRuns.run(named: .latest)
        #expect(latest.run.id == spent.published)
        #expect(latest.remark == nil)
        let error = try await databaseError {
            try await database.customers.user(of: .user("ann"), in: latest)
        }
        #expect(error.name == "unknown")
        let listed = try await database.knownRuns.list(limit: 1)
        let words = RunsReport.text(listed).split(separator: "\n").first ?? ""
        let named = kind.remark.split(separator: " ").joined(separator: ", ")
        #expect(words == "\(spent.other)  \(named)")
    }

    @Test("`latest` and `previous` are the last two published runs over everything")
    func lastTwo() async throws {
        let none = try await databaseError { try await database.knownRuns.run(named: .latest) }
        #expect(none.name == "unknown")
        let first = try await nights.night(.of("ann", .running(), .granted))
        let single = try await databaseError { try await database.knownRuns.run(named: .previous) }
        #expect(single.description.hasPrefix("Fewer than two runs over everything are published"))
        let second = try await nights.night()
        try await nights.night(.only("ann"))
        let latest = try await database.knownRuns.run(named: RunListing.Name("latest"))
        #expect(latest.run.id == second.summary.run.id)
        let previous = try await database.knownRuns.run(named: RunListing.Name("previous"))
        #expect(previous.run.id == first.summary.run.id)
        let replayed = try await database.runs.replayable(RunID(text: "previous"))
        #expect(replayed.run.id == first.summary.run.id)
        let change = try await database.history.retract(
            runBeginningWith: "latest", by: "eve", why: "a test")
        #expect(change.run == second.summary.run.id)
    }

    @Test("A run may be named by its folder")
    func folderName() {
        let id = "20261120T020000Z-3f2a91"
        #expect(RunListing.Name(id) == .beginning(id))
        #expect(RunListing.Name(id + "-trial") == .beginning(id))
    }

    @Test("A partial run's finding is known, but a night that has it goes before")
    func partial() async throws {
        let night = try await nights.night(.of("ann", .ended(), .granted))
        let partial = try await nights.night(
            .only("ann"), .of("bob", .ended(), .granted), .only("ann", "bob"))
        let ann = try #require(night.findings.first)
        let bob = try #require(partial.findings.first { $0.finding.user == "bob" })
        let known = try await database.knownFindings.finding(beginningWith: ann.id)
        #expect(known.run == night.summary.run.id)
        let other = try await database.knownFindings.finding(beginningWith: bob.id)
        #expect(other.run == partial.summary.run.id)
        let run = try await database.knownRuns.run(
            named: RunListing.Name(partial.summary.run.id.text))
        #expect(run.remark == "partial")
    }

    @Test("The undo of an acceptance names the kind, though the run with the finding is retracted")
    func undo() async throws {
        let night = try await nights.night(.of("ann", .ended(), .granted))
        let finding = try #require(night.findings.first)
        _ = try await nights.accept(finding.id)
        try await nights.retract(1)
        #expect(try await database.acceptances.list().map(\.kind) == [.expiredStillGranted])
        let undo = Acceptance(
            finding: finding.id, by: "eve", why: "wrong", until: nil, isUndo: true)
        let undone = try await database.acceptances.accept(undo)
        #expect(undone.kind == .expiredStillGranted)
        #expect(undone.user == "ann")
    }

    @Test("A finding without a user is explained, with what each night and operator said of it")
    func userless() async throws {
        let night = try await nights.night(.of("ann", .unknown("9"), .granted))
        try await nights.night()
        let finding = try #require(night.findings.first { $0.finding.user == nil })
        _ = try await nights.accept(finding.id)
        let run = try await database.knownRuns.run(named: .latest)
        let file = try await database.customers.file(ofUserless: finding.id, in: run)
        #expect(file.changes.map(\.what) == ["new", "persisting", "accepted by eve: known"])
        let text = ExplainText(file).text
        #expect(text.hasPrefix("No user, in run \(run.run.id), judged as of 2026-11-20"))
        #expect(text.contains("FINDING unknown_product (medium, none, persisting)"))
        #expect(text.contains("Its finding_id is \(finding.id)."))
        #expect(
            String(decoding: ExplainJSON.bytes(file), as: UTF8.self).contains(#""user_id": null"#))
    }
}
