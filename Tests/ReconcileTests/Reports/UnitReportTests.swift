import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with lines of `units.csv` and what `verify` says of them; or a change of a
/// sound folder.
@Suite("The units in a folder")
struct UnitReportTests {
    private let reports: TemporaryFolder

    init() throws { reports = try TemporaryFolder() }

    private static let run = Run.sample(unitDays: 62)

    private static let lines: [UnitLine] = [
        .of("2026-10-01", sold: 3, trials: 1, customers: 2),
        .of("2026-10-01", bundle: "zoo", refunded: 1), .of("2026-10-02", sold: 1, upgraded: 1),
    ]

    private func publish(_ lines: [UnitLine], sums: UnitCounts? = nil) async throws -> String {
        var summary = Summary.sample(Self.run)
        summary.facts.units = sums ?? lines.reduce(into: UnitCounts()) { $0 += $1.counts }
        let folder = try ReportFolder(reports: reports.path, run: Self.run)
        try await folder.fill([:], units: lines)
        return try await folder.publish(summary, codeVersion: "0.1.0") {}.path
    }

    @Test("Lines and sums are written, listed and verified")
    func sound() async throws {
        let path = try await publish(Self.lines)
        let verification = FolderVerification(path)
        #expect(verification.failures == [])
        #expect(verification.rows == 3)
        let id = Self.run.id.text
        let csv = String(decoding: try reports.bytes("\(id)/units.csv"), as: UTF8.self)
        #expect(
            csv.hasPrefix(
                "day_pacific,bundle_id,product_id,sold,trials,refunded,upgraded,customers,run_id,"
                    + "as_of,scope\r\n2026-10-01,acme,coins,3,1,0,0,2,"))
        let json = String(decoding: try reports.bytes("\(id)/units.json"), as: UTF8.self)
        #expect(json.contains(#""product_id":"coins","sold":3,"trials":1,"refunded":0"#))
        let summary = oneLine(try reports.bytes("\(id)/summary.json"))
        #expect(
            summary.contains(
                #""units": { "from": "2026-09-18", "to": "2026-11-18", "sold": 4, "trials": 1,"#))
    }

    @Test("A run that counts none has no such file")
    func none() async throws {
        let path = try await reports.publish()
        #expect(FolderVerification(path).failures == [])
        #expect(try !reports.names(in: Run.sample().id.text).contains("units.csv"))
    }

    @Test("Sums that are not those of the lines are not published")
    func untied() async throws {
        await #expect(throws: ReportError.self) {
            try await publish(Self.lines, sums: UnitCounts(sold: 9))
        }
    }

    @Test(
        "Lines that cannot be are named",
        arguments: [
            (
                lines: [UnitLine.of("2026-10-02", sold: 1), .of("2026-10-01", sold: 1)],
                says: "belongs before the previous row"
            ),
            (
                [.of("2026-10-02", sold: 1), .of("2026-10-02", sold: 1)],
                "belongs before the previous row"
            ),
            ([.of("2026-09-17", sold: 1)], "its day is not one that the run counts"),
            ([.of("2026-11-19", sold: 1)], "its day is not one that the run counts"),
            ([.of("2026-10-02")], "its figures cannot be"),
            ([.of("2026-10-02", sold: 1, trials: 2)], "its figures cannot be"),
        ])
    func impossible(lines: [UnitLine], says sentence: String) async throws {
        let failures = FolderVerification(try await publish(lines)).failures
        #expect(failures.count == 1)
        #expect(failures.first?.contains(sentence) == true, "\(failures)")
    }

    @Test("A file that is gone is missing")
    func gone() async throws {
        let path = try await publish(Self.lines)
        try FileManager.default.removeItem(atPath: path + "/units.json")
        #expect(FolderVerification(path).failures.first?.hasPrefix("units.json is missing") == true)
    }
}
