import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a test that compares `FindingKind.allCases` with the files or pages that list
/// them.
@Suite("The rules of findings")
struct FindingRuleTests {
    @Test("Every kind has a file named after it that defines it, and the folder has no other file")
    func files() {
        let files = SourceTree.files.filter(\.isRule)
        let names = files.map { $0.path.split(separator: "/")[4].dropLast(6).lowercased() }
        let kinds = FindingKind.allCases.map { $0.rawValue.replacing("_", with: "") }
        #expect(names.sorted() == (kinds + ["factrules", "rowrules"]).sorted())
        for file in files where !file.path.hasSuffix("Rules.swift") {
            #expect(file.matches(#"static let \w+ = FindingKind\("#).count == 1, "\(file.path)")
        }
    }

    @Test("README lists each kind of finding with its severity and direction")
    func readme() throws {
        let page = try SourceTree.file(at: "README.md").text
        for kind in FindingKind.allCases {
            let weight = kind.lesserWeight == nil ? "\(kind.severity) | \(kind.direction) |" : ""
            let row = "| `\(kind.rawValue)` | "
            let rows = page.split(separator: "\n").filter { $0.hasPrefix(row) }
            #expect(rows.count == 1, "\(row)")
            let rest = rows.first?.dropFirst(row.count).drop { $0 != "|" }
            #expect(rest?.hasPrefix("| " + weight) == true, "\(row)")
        }
    }
}

/// To add a case: a test that reads pages by `SourceTree` and names the page that is wrong.
@Suite("The documents and the Debian package")
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
        let folders = try ["docs", "packaging", "reports", "Tests"]
            .flatMap(SourceTree.paths(under:))
        for page in folders + ["README.md", "CONTRIBUTING.md"] where page.hasSuffix(".md") {
            let folder = URL(filePath: SourceTree.root + "/" + page).deletingLastPathComponent()
            // Of a link to a heading, the page.
            for target in try SourceTree.file(at: page).text.groups(#"\]\((?!http)([^)#]*)"#) {
                let file = folder.appending(path: target).path()
                #expect(FileManager.default.fileExists(atPath: file), "\(page): \(target)")
            }
        }
    }

    @Test("Every location of nginx limits a client's requests and connections")
    func locations() throws {
        let text = try SourceTree.file(at: "packaging/nginx/receipt-service.conf").text
        let locations = text.groups(#"(?s)    location (= /[a-z-]+ \{.*?\n    \})"#)
        #expect(locations.count == 4)
        for location in locations {
            #expect(location.contains("limit_req zone="), "\(location)")
            #expect(location.contains("limit_conn clients "), "\(location)")
        }
    }

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
            for path in needed {
                let folder = path.contains(".") ? path.replacing(/\/[^\/]*$/, with: "") : path
                let line = "(?m)^d \(folder) 0750 (?:root|reconcile-job) (reconcile-job) -$"
                #expect(made.groups(line).count == 1, "\(folder)")
            }
        }
    }
}
