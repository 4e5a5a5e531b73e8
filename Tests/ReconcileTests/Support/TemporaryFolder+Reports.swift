import Foundation

@testable import Reconcile
@testable import TestSupport

extension TemporaryFolder {
    /// Whether the folder of a run holds exactly the files of its manifest, byte for byte.
    func isWholeReport(_ id: String) throws -> Bool {
        let text = try read("\(id)/manifest.json")
        let manifest = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let files = manifest?["files"] as? [[String: Any]] ?? []
        let names = files.compactMap { $0["name"] as? String }
        let present = try FileManager.default.contentsOfDirectory(atPath: path + "/" + id)
        guard names.count == 20,
            Set(present) == Set(names + ["manifest.json"])
        else {
            return false
        }
        return try files.allSatisfy { file in
            guard let name = file["name"] as? String else { return false }
            let digest = Digest.sha256(try bytes("\(id)/\(name)")).hexadecimal
            return file["sha256"] as? String == digest
        }
    }

    var latest: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path + "/latest")
    }
}

extension ReportFolder {
    func fill(
        _ rows: [FindingFile: [ReportedFinding]], unverified: [UnverifiedReceipt] = []
    ) async throws {
        let groups = Dictionary(
            grouping: FindingFile.allCases.flatMap { rows[$0] ?? [] }, by: FindingTotal.Group.init)
        let totals = groups.map { group, rows in
            let currency = group.currency.flatMap(Currency.init)
            let amount = currency.map { currency in
                let units = rows.compactMap(\.estimatedAmount)
                    .compactMap { Money($0, in: currency)?.minorUnits }
                return Money(minorUnits: units.reduce(0, +), in: currency).text
            }
            return FindingTotal(group, count: rows.count, amount: amount)
        }
        try await write(
            ReportTables(
                findings: { ReportRows([rows[$0] ?? []]) }, cleared: ReportRows([]),
                unverified: ReportRows([unverified]), notReported: ReportRows([]),
                totals: ReportRows([totals])))
    }
}
