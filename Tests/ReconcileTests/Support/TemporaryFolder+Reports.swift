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
        guard names.count == 18,
            Set(present) == Set(names + ["manifest.json", "SHA256SUMS"])
        else {
            return false
        }
        return try files.allSatisfy { file in
            guard let name = file["name"] as? String else { return false }
            let digest = Digest.sha256(Array(try read("\(id)/\(name)").utf8)).hexadecimal
            return file["sha256"] as? String == digest
        }
    }

    /// The run that `latest` leads to; nil without such a link.
    var latest: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path + "/latest")
    }
}

extension ReportFolder {
    /// Appends rows, and what they come to.
    func fill(_ file: FindingFile, _ rows: [ReportedFinding]) throws {
        try table(for: file).append(rows)
        let groups = Dictionary(grouping: rows, by: FindingTotal.Group.init)
        try totals.append(
            groups.map { group, rows in
                let amounts = rows.compactMap(\.estimatedAmount)
                let currency = group.currency.flatMap(Currency.init)
                let sum = currency.map { currency in
                    amounts.compactMap { Money($0, in: currency)?.minorUnits }.reduce(0, +)
                }
                let amount = currency.flatMap { currency in
                    sum.map { Money(minorUnits: $0, in: currency).text }
                }
                return FindingTotal(group, count: rows.count, amount: amount)
            })
    }
}
