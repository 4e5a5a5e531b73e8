import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A report folder with a mark")
struct MarkedFolderTests {
    @Test("Marking a folder moves `latest` only if it leads to that folder")
    func latest() throws {
        let reports = try TemporaryFolder()
        let marked = RunID(text: "20261119T020000Z-00000a")
        let others = ["20261118T020000Z-00000b", "20261120T020000Z-00000c"]
        for name in others + [marked.text] {
            try FileManager.default.createDirectory(
                atPath: "\(reports.path)/\(name)", withIntermediateDirectories: false)
        }
        let link = reports.path + "/latest"
        let folder = MarkedFolder(.retracted, run: marked, by: "a", why: "b", at: .asOf)
        for (before, after) in [(others[1], others[1]), (marked.text, others[0])] {
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: before)
            #expect(
                try folder.publish(
                    in: reports.path, newest: RunID(text: others[0]), onlyFromHere: true))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == after)
            #expect(try reports.read("\(marked.text)/RETRACTED.json").contains("\"why\": \"b\""))
        }
        let unknown = MarkedFolder(
            .retracted, run: RunID(text: "20261117T020000Z-00000d"), by: "a", why: "b", at: .asOf)
        let isThere = try unknown.publish(in: reports.path, newest: nil, onlyFromHere: true)
        #expect(!isThere)
    }
}
