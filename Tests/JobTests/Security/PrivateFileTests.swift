import Foundation
import Testing

@testable import TestSupport
@testable import reconcile_job

/// To add a case: a line with the owner of a file and the account that may use it or not.
@Suite("A file of secrets")
struct PrivateFileTests {
    @Test(
        "Root reads the file of the account that runs the service, and need not take it away",
        .enabled(if: geteuid() == 0, "Only root can give a file away."))
    func root() throws {
        let temporary = try TemporaryFolder()
        let path = try temporary.write("com.acme = 1", to: "secrets")
        try #require(chown(path, 54_321, gid_t.max) == 0)
        let file = PrivateFile(flag: "shared-secrets", content: "secrets")
        let text = try file.read(path)
        #expect(text == "com.acme = 1")
    }

    @Test("No account but root uses a file that is neither its own nor root's")
    func others() {
        #expect(PrivateFile.mayUse(1_000, by: 1_000))
        #expect(PrivateFile.mayUse(0, by: 1_000))
        #expect(!PrivateFile.mayUse(54_321, by: 1_000))
        #expect(PrivateFile.mayUse(54_321, by: 0))
    }
}
