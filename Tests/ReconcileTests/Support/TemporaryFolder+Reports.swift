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
        guard names.count == 16, Set(present) == Set(names + ["manifest.json"]) else {
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
