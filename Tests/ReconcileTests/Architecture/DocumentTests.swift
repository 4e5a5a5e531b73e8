import Foundation
import Testing

@Suite("The documents")
struct DocumentTests {
    @Test("A decision record has its four parts, in order, on at most 60 lines")
    func decisions() throws {
        for page in try SourceTree.paths(under: "docs/decisions") where page.contains("/0") {
            let text = try SourceTree.file(at: page).text
            let parts = text.groups(#"(?m)^## (.*)"#).joined(separator: " ")
            #expect(parts == "Context Decision Consequences Rejected", "\(page)")
            #expect(text.utf8.count { $0 == 10 } <= 60, "\(page)")
        }
    }

    @Test("Every path in the documents leads to a file that exists")
    func documents() throws {
        let folders = try ["docs", "packaging", "reports"].flatMap(SourceTree.paths(under:))
        for page in folders + ["README.md", "CONTRIBUTING.md"] where page.hasSuffix(".md") {
            let folder = URL(filePath: SourceTree.root + "/" + page).deletingLastPathComponent()
            // Of a link to a heading, the page.
            for target in try SourceTree.file(at: page).text.groups(#"\]\((?!http)([^)#]*)"#) {
                let file = folder.appending(path: target).path()
                #expect(FileManager.default.fileExists(atPath: file), "\(page): \(target)")
            }
        }
    }
}

@Suite("The Debian package")
struct PackagingTests {
    @Test("Every folder that a unit or the log rotation relies on is made for the job's account")
    func folders() throws {
        let made = try SourceTree.file(at: "packaging/debian/reconcile-job.tmpfiles").text
        for (path, pattern) in [
            ("systemd/reconcile-job.service", "(?m)^(?:ReadWritePaths=|EnvironmentFile=-?)(.*)"),
            ("systemd/reconcile-service.service", "(?m)^EnvironmentFile=-?(.*)"),
            ("debian/reconcile-job.logrotate", "(?m)^(/.*) [{]"),
        ] {
            let needed = try SourceTree.file(at: "packaging/" + path).text.groups(pattern)
            #expect(!needed.isEmpty, "\(path)")
            for place in needed {
                let folder = place.contains(".") ? place.replacing(/\/[^\/]*$/, with: "") : place
                let line = "(?m)^d \(folder) 0750 (?:root|reconcile-job) (reconcile-job) -$"
                #expect(made.groups(line).count == 1, "\(folder)")
            }
        }
    }
}
