import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

@Suite("The inputs of a run")
struct RunInputsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("The secrets file must be private and the certificates readable")
    func accepted() throws {
        var configuration = Configuration()
        configuration.sharedSecrets = try folder.write("* = hunter2", to: "s", mode: 0o400)
        configuration.caFile = try folder.write(
            "-----BEGIN CERTIFICATE-----", to: "ca.pem", mode: 0o644)
        let inputs = try RunInputs(configuration)
        #expect(inputs.secrets.secret(for: "com.example.a") != nil)
        #expect(inputs.caFile == configuration.caFile)
        #expect(try RunInputs(Configuration()).secrets == .none)
    }

    @Test(
        "Secrets that others can read are refused with 77",
        arguments: [0o640, 0o604, 0o660, 0o610, 0o644])
    func shared(mode: Int) throws {
        let path = try folder.write("* = hunter2", to: "s", mode: mode)
        let process = try JobProcess(["run", "--shared-secrets", path])
        #expect(process.status == 77)
        #expect(
            process.lastLine
                == "reconcile-job: --shared-secrets: others can read \(path). "
                + "Run `chmod 600` on it.")
    }

    @Test(
        "Secrets that cannot be parsed are refused with 78, without showing them",
        arguments: [
            ("a = b\nhunter2", "Line 2 of the shared secrets is not `bundle_id = secret`."),
            ("a = 1\na = hunter2", "Line 2 of the shared secrets names the bundle of line 1"),
        ])
    func malformed(text: String, message: String) throws {
        let path = try folder.write(text, to: "s")
        let process = try JobProcess(["run", "--shared-secrets", path])
        #expect(process.status == 78)
        #expect(process.lastLine.contains(message))
        #expect(!process.error.contains("hunter2"))
    }

    @Test("A missing or wrong file is refused with 78")
    func missing() throws {
        for flag in ["--shared-secrets", "--ca-file"] {
            for path in [folder.path + "/none", folder.path] {
                let process = try JobProcess(["run", flag, path])
                #expect(process.status == 78, "\(flag) \(path)")
                #expect(process.lastLine.contains("\(flag): "))
                #expect(process.lastLine.contains(path))
            }
        }
    }

    @Test(
        "Unencrypted URLs are refused with 78, without showing the URL",
        arguments: ["http://example.com/hunter2", "https://u:hunter2@example.com/", "hunter2"])
    func urls(text: String) throws {
        for flag in ["--production-url", "--sandbox-url"] {
            let process = try JobProcess(["run", flag, text])
            #expect(process.status == 78)
            #expect(process.lastLine.contains("\(flag): the value "))
            #expect(!process.error.contains("hunter2"))
        }
    }
}
