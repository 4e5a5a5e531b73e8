import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

@Suite("The publication of a run")
struct PublicationTests {
    private let place: TemporaryFolder
    private var configuration = Configuration()

    init() throws {
        place = try TemporaryFolder()
        configuration.reports = place.path
        configuration.output = .none
        configuration.logLevel = .error
    }

    @Test("The pages of every file are written in order, and the last line says where")
    func publishes() async throws {
        var summary = RunSummary.empty()
        summary.findings.add(.expired, .info, count: 3)
        let ending = try await conclude(summary, pages: [["a", "b"], [], ["c"]])
        #expect(ending.exit == .complete)
        let folder = place.path + "/" + summary.run.id.text
        #expect(ending.message.hasSuffix("Read \(folder)."))
        let lines = try place.read("latest/expirations.csv").split(separator: "\r\n")
        #expect(lines.dropFirst().map { $0.split(separator: ",")[6] } == ["a", "b", "c"])
        #expect(try place.read("latest/refunds.json") == "[]\n")
    }

    @Test("Nothing is published when a page fails or the numbers do not tie out")
    func fails() async throws {
        var summary = RunSummary.empty()
        summary.findings.add(.expired, .info, count: 2)
        await #expect(throws: ReportError.self) { try await conclude(summary, pages: [["a"]]) }
        let broken = AsyncThrowingStream<[ReportedFinding], any Error> {
            throw Ending(.unavailable, "The database went away.")
        }
        await #expect(throws: Ending(.unavailable, "The database went away.")) {
            try await publication.conclude(
                summary,
                tables(findings: { _ in ReportRows(broken) }))
        }
        #expect(try place.names == [])
    }

    @Test("Nothing is published when Apple answered nothing")
    func unanswered() async throws {
        var summary = RunSummary.empty()
        summary.requests.sent = 3
        let error = await #expect(throws: Ending.self) {
            try await conclude(summary, pages: [])
        }
        #expect(error?.exit == .unavailable)
        #expect(try place.names == [])
    }

    @Test(
        "Each error has its exit status",
        arguments: [
            (ReportError(.cannotCreate(2), path: "x"), .cannotCreateReports),
            (ReportError(.occupied, path: "x"), .cannotCreateReports),
            (ReportError(.writeFailed(28), path: "x"), .inputOutput),
            (ReportError(.doesNotTie("x"), path: "x"), .broken),
            (ReportError(.contentMismatch("x"), path: "x"), .inputOutput),
            (Ending(.locked, "x"), .locked), (CancellationError(), .broken),
        ] as [(any Error, ExitCode)])
    func statuses(error: any Error, exit: ExitCode) { #expect(Ending(error).exit == exit) }

    private var publication: Publication {
        Publication(configuration: configuration, console: Console(configuration))
    }

    private func conclude(_ summary: RunSummary, pages users: [[UserID]]) async throws -> Ending {
        try await publication.conclude(
            summary,
            tables { file in pages(file == .expirations ? users.map { $0.map(finding) } : []) })
    }

    private func tables(
        findings: @escaping (FindingFile) -> ReportRows<ReportedFinding>
    ) -> ReportTables {
        let row = finding(of: "a")
        return ReportTables(
            findings: findings, cleared: pages([]), unverified: pages([]), notReported: pages([]),
            totals: pages([[FindingTotal(FindingTotal.Group(row), count: 3, amount: nil)]]))
    }

    private func finding(of user: UserID) -> ReportedFinding {
        let finding = Finding(
            kind: .expired, weight: FindingKind.expired.weight, user: user,
            explanation: "The subscription ended.")
        return ReportedFinding(
            id: "x", finding: finding, firstSeen: RunSummary.empty().run.asOf)
    }

    private func pages<Row: Sendable>(_ pages: [[Row]]) -> ReportRows<Row> {
        ReportRows(pages)
    }
}
