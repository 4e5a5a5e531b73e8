import Testing

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
