import Testing

@testable import Reconcile

@Suite("A very long answer")
struct AnswerLimitTests {
    private func read(_ members: String, latest: String = "") throws -> ValidationReply {
        let text =
            #"{"status":0,"environment":"Production","#
            + #""receipt":{"bundle_id":"acme",\#(members)}\#(latest)}"#
        do throws(VerifyReceiptAnswer.Unreadable) {
            return .answer(try .read(Array(text.utf8), from: .production))
        } catch {
            return ValidationReply(error)
        }
    }

    private func list(_ count: Int, _ element: String) -> String {
        "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
    }

    @Test(
        "Fifty thousand purchases of any kind are accepted, and no more", arguments: ["{}", "1"])
    func bounded(element: String) throws {
        guard case .answer = try read(#""in_app":\#(list(50_000, element))"#) else {
            Issue.record("fifty thousand are not read")
            return
        }
        let many = [
            try read(#""in_app":\#(list(50_001, element))"#),
            try read(
                #""in_app":\#(list(25_001, element))"#,
                latest: #","latest_receipt_info":\#(list(25_000, element))"#),
        ]
        for reply in many {
            guard case .failure(.answerTooLarge, _, _) = reply else {
                Issue.record("more are read")
                return
            }
        }
    }
}
