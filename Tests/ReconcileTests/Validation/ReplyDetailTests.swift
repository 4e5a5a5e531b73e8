import Testing

@testable import Reconcile

@Suite("The detail of an unreadable reply")
struct ReplyDetailTests {
    @Test(
        "The detail says in words why an answer is not JSON",
        arguments: [
            ("", "the answer is not JSON: syntax error at byte 0"),
            ("<html>", "the answer is not JSON: syntax error at byte 0"),
            (#"{"status":0"#, "the answer is not JSON: syntax error at byte 11"),
            (#"{"status":0,"status":1}"#, "the answer is not JSON: duplicate key at byte 13"),
            ("{\"a\":\"\u{1}\"}", "the answer is not JSON: syntax error at byte 6"),
        ])
    func notJSON(body: String, detail: String) {
        #expect(throws: VerifyReceiptAnswer.Unreadable.self) {
            do throws(VerifyReceiptAnswer.Unreadable) {
                _ = try VerifyReceiptAnswer.read(Array(body.utf8), from: .production)
            } catch {
                #expect(ValidationReply.unreadable(error).detail == detail)
                throw error
            }
        }
    }
}
