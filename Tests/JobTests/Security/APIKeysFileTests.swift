import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

/// To add a case: a row with the lines of the file, the mode of the key's file, and the ending.
@Suite("The file of API keys")
struct APIKeysFileTests {
    private static let pem = TestCertificate.pem("PRIVATE KEY", SigningKey(on: .p256).pkcs8)

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.pem, to: "key.p8")
    }

    @Test("The path of a key is from the folder of the file, or absolute")
    func found() throws {
        let lines = "acme = issuer KEY1 key.p8\n* = issuer KEY2 \(folder.path)/key.p8\n"
        let path = try folder.write(lines, to: "api-keys")
        let keys = try APIKeysFile.read(path)
        #expect(keys.apps.text == "acme *")
    }

    @Test("A sweep of no app is refused: a line for all others does not say which apps there are")
    func sweepsNoApp() async throws {
        let keys = try folder.apiKeys(of: ["*"], as: "for-all")
        try await JobProcess("run", "--refund-sweep", "--api-keys=\(keys)").exits(78)
            .says("--refund-sweep: no app has a line of its own")
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let lines: String
        var mode = 0o600
        var keyMode = 0o600
        var key = pem
        let exit: ExitCode
        /// After the path of the file.
        let says: String
    }

    @Test(
        "A file or key that others can read is refused, and so is a line without a key",
        arguments: [
            Refused(
                testDescription: "others can read the file", lines: "* = i k key.p8", mode: 0o640,
                exit: .notPermitted, says: "others can read"),
            Refused(
                testDescription: "others can read the key", lines: "#\n* = i k key.p8",
                keyMode: 0o604, exit: .notPermitted, says: ", line 2: others can read"),
            Refused(
                testDescription: "no such key", lines: "* = i k ./none.p8", exit: .configuration,
                says: ", line 1: cannot read"),
            Refused(
                testDescription: "a bad line", lines: "\n* = i k", exit: .configuration,
                says: ": line 2 is not `bundle_id = issuer_id key_id FILE.p8`"),
            Refused(
                testDescription: "an app twice", lines: "a = i k key.p8\na = i k key.p8",
                exit: .configuration, says: ": line 2 names the bundle of line 1 again"),
            Refused(
                testDescription: "another key", lines: "* = i k key.p8",
                key: TestCertificate.pem("PRIVATE KEY", SigningKey(on: .p384).pkcs8),
                exit: .configuration, says: ", line 1: "),
            Refused(
                testDescription: "no key at all", lines: "* = i k key.p8", key: "hunter2",
                exit: .configuration, says: "is no key of the App Store Server API"),
        ])
    func refused(row: Refused) throws {
        try folder.write(row.key, to: "key.p8", mode: row.keyMode)
        let path = try folder.write(row.lines, to: "api-keys", mode: row.mode)
        let ending = #expect(throws: Ending.self) { _ = try APIKeysFile.read(path) }
        #expect(ending?.exit == row.exit)
        let message = ending?.message ?? ""
        #expect(message.hasPrefix("--api-keys: "), "\(message)")
        #expect(message.contains(row.says), "\(message)")
        #expect(!message.contains("hunter2"), "\(message)")
        #expect(!message.contains("BEGIN"), "\(message)")
    }

    @Test("A missing file is named, and a value that may be a key is not")
    func missing() {
        let missing = #expect(throws: Ending.self) { _ = try APIKeysFile.read("/nowhere/keys") }
        #expect(missing?.exit == .configuration)
        #expect(missing?.message.contains("cannot read /nowhere/keys") == true)
        let key = #expect(throws: Ending.self) { _ = try APIKeysFile.read("a = i hunter2 k") }
        #expect(key?.message.contains("hunter2") == false)
    }
}
