import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a forgery: a row with what is replaced in which file.
@Suite("The folder of a period")
struct PeriodFolderTests {
    private let reports: TemporaryFolder

    init() throws { reports = try TemporaryFolder() }

    private static let lines = [
        Movement.leak([
            .opening: (2, 300), .cleared: (1, 100), .closing: (1, 250), .revalued: (0, 50),
        ]),
        Movement.leak([.new: (1, 0), .closing: (1, 0)], product: "silver", currency: nil),
    ]

    private static let refunds: [PeriodEvent] = [
        .refund("a"), .refund("b", reversedOn: "2026-11-02"),
        .refund("c", amount: nil, isCounted: false), .refund("d", amount: nil),
        .refund("e", .refundWithoutReceipt, of: nil),
    ]

    private static let history = [
        PeriodRuns.Night.night("2026-09-30"), .night("2026-10-20"), .night("2026-10-31"),
    ]

    private func publish(
        _ lines: [Movement] = lines, _ refunds: [PeriodEvent] = refunds, of app: BundleID? = nil
    ) async throws -> (path: String, summary: PeriodSummary) {
        let period = try #require(FinancialPeriod.month("2026-10", of: app))
        let folder = try PeriodFolder(
            reports: ReportsDirectory(path: reports.path), period)
        return try await folder.publish(
            PeriodRuns(of: period.days, in: Self.history), lines,
            { ReportRows([$0 == .refunds ? refunds : [.expiry("f"), .expiry("g", reason: nil)]]) },
            codeVersion: "0.1.0", fence: {})
    }

    @Test("It is found for a user whom its rows name, for erasure")
    func namesUsers() async throws {
        _ = try await publish()
        let folders = try FoldersOfUser(reports: ReportsDirectory(path: reports.path))
        let user = try #require(Self.refunds.first?.row.finding.user)
        #expect(folders.periods(of: [user]) == ["period-2026-10-01-2026-10-31"])
        #expect(folders.periods(of: ["nobody at all"]) == [])
    }

    @Test("The summary adds the rows up, and a refund that several users hold once")
    func sums() async throws {
        let (path, summary) = try await publish()
        #expect(path.hasSuffix("/period-2026-10-01-2026-10-31"))
        #expect(
            PeriodText.sentence(summary)
                == "In October 2026 so far Apple refunded 4 purchases, 2.97 USD at list price; the"
                + " leak went from 3.00 USD to 2.50 USD.")
        let json = String(decoding: PeriodJSON.bytes(summary), as: UTF8.self)
        for text in [
            "\"month\": \"2026-10\"", "\"fiscal\": null", "\"open\": true", "\"no_price\": 1",
            "\"net_amount\": \"1.98\"", "\"billing\": 1", "\"unknown\": 1",
            "\"starts_at\": \"2026-10-01T07:00:00Z\"", "\"ends_at\": \"2026-11-01T07:00:00Z\"",
        ] {
            #expect(json.contains(text), "\(text)")
        }
        #expect(summary.runs.count == 2)
        #expect(summary.closing.findings == 2)
    }

    @Test("verify accepts it, and says which file differs or which sum")
    func verified() async throws {
        let path = try await publish().path
        let verification = try #require(RangeVerification(path))
        #expect(verification.failures == [])
        #expect(verification.rows == 9)
        #expect(verification.files == 10)
        #expect(FolderVerification(path).failures != [])
    }

    @Test(
        "A change is found although all digests are put right",
        arguments: [
            ("movements", "3.00", "4.00", "movements.csv, row 1"),
            ("refunds", "0.99", "9.99", "summary.json, line"),
            ("refunds", "2026-11-02", "2026-10-02", "refunds.csv, row 2: its reversed_at"),
            ("refunds", "2026-10-05T", "2026-09-05T", "refunds.csv, row 1"),
            ("expirations", "billing", "refused", "summary.json, line"),
        ])
    func forged(table: String, old: String, new: String, says: String) async throws {
        let folder = FolderOnDisk(path: try await publish().path)
        func replace(_ old: String, with new: String, in file: String) throws {
            let text = try reports.read("period-2026-10-01-2026-10-31/" + file)
            let forged = text.replacing(old, with: new)
            #expect(forged != text)
            try folder.write(forged, to: file)
            if file == RangeManifest.fileName { return }
            let digests = [text, forged].map { Digest.sha256(Array($0.utf8)).hexadecimal }
            try replace(digests[0], with: digests[1], in: RangeManifest.fileName)
            if file == Manifest.sumsName { return }
            try replace(digests[0], with: digests[1], in: Manifest.sumsName)
        }
        for file in [table + ".csv", table + ".json"] { try replace(old, with: new, in: file) }
        let verification = try #require(RangeVerification(folder.path))
        let found = verification.failures.contains { $0.hasPrefix(says) }
        #expect(found, "\(verification.failures)")
    }

    @Test("A line that does not tie is a defect, and nothing is written")
    func untied() async throws {
        let error = try #require(
            await #expect(throws: ReportError.self) {
                _ = try await publish([.leak([.opening: (1, 100), .closing: (1, 99)])])
            })
        #expect(
            error.reason
                == .doesNotTie(
                    "expired_still_granted, app, gold, USD opens with, gets and loses 1.00, but"
                        + " closes with 0.99"))
        #expect(try reports.names(in: "") == [])
    }

    @Test("A refund with an amount in two rows is a defect, and nothing is written")
    func twice() async throws {
        await #expect(throws: MoneyTally.Unsummable.self) {
            _ = try await publish(Self.lines, [.refund("a"), .refund("b", isCounted: false)])
        }
        #expect(try reports.names(in: "") == [])
    }

    @Test("A period without a refund says so")
    func empty() async throws {
        let (path, summary) = try await publish([], [], of: "app")
        #expect(
            PeriodText.sentence(summary)
                == "In October 2026 so far Apple refunded no purchases of app; the leak went from"
                + " nothing to nothing.")
        #expect(path.hasSuffix("/period-2026-10-01-2026-10-31-app"))
        #expect(RangeVerification(path)?.failures == [])
        let page = try String(contentsOfFile: path + "/index.html", encoding: .utf8)
        #expect(page.contains("<svg"))
    }
}
