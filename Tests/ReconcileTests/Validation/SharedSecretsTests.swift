import Testing

@testable import Reconcile

@Suite("Shared secrets")
struct SharedSecretsTests {
    @Test("A secret is found by its bundle, else under `*`")
    func lookup() throws {
        let secrets = try SharedSecrets(
            parsing: "\u{FEFF}# ours\r\n\r\ncom.example.a = one=1 \n\tcom.example.b=two\n* = rest")
        #expect(secrets.secret(for: "com.example.a")?.text == "one=1")
        #expect(secrets.secret(for: "com.example.b")?.text == "two")
        #expect(secrets.secret(for: "com.example.c")?.text == "rest")
        #expect(secrets.secret(for: "COM.example.a")?.text == "rest")
    }

    @Test("A team may have no secrets")
    func none() throws {
        #expect(try SharedSecrets(parsing: "# nothing\n") == .none)
        #expect(SharedSecrets.none.secret(for: "com.example.a") == nil)
    }

    @Test(
        "A bad line is refused by its number, and its text is never shown",
        arguments: [
            ("com.example.a hunter2", .malformed, 1), ("\na = b\n= hunter2", .malformed, 3),
            ("com.example.a =", .malformed, 1), ("a = hunter 2", .malformed, 1),
            ("a = hünter2", .malformed, 1), ("a = hunter2\u{0}", .malformed, 1),
            ("a = 1\n#\na = hunter2", .duplicate(ofLine: 1), 3),
            ("* = 1\n* = hunter2", .duplicate(ofLine: 1), 2),
        ] as [(String, SharedSecretsError.Reason, Int)])
    func refused(text: String, reason: SharedSecretsError.Reason, line: Int) {
        let error = #expect(throws: SharedSecretsError.self) {
            _ = try SharedSecrets(parsing: text)
        }
        #expect(error?.reason == reason)
        #expect(error?.line == line)
        #expect(error?.description.contains("Line \(line)") == true)
        #expect(error?.description.contains("nter") == false)
    }

    @Test("Secrets print as redacted in every form")
    func redacted() throws {
        let secret = SharedSecret(text: "hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        dump(try SharedSecrets(parsing: "a = hunter2\n* = hunter2"), to: &dumped)
        let texts = [
            "\(secret)", String(reflecting: secret), String(reflecting: [secret]), dumped,
        ]
        for text in texts {
            #expect(text.contains("‹redacted›"))
            #expect(!text.contains("hunter2"))
        }
    }
}
