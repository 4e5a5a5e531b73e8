import Testing

@testable import Reconcile

/// To add a case: a status, and the words for it.
@Suite("The cause of an outage, as the log names it")
struct ValidationReplyTests {
    private func answer(_ status: Int) -> ValidationReply {
        .answer(
            VerifyReceiptAnswer(
                status: ReceiptStatus(rawValue: status), environment: nil, isRetryable: nil,
                exception: nil, receipt: nil))
    }

    @Test("An answer that says valid and holds no receipt is incomplete", arguments: [0, 21006])
    func incomplete(status: Int) {
        #expect(answer(status).cause == "an incomplete answer (status \(status))")
    }

    @Test("Another status speaks for itself")
    func status() {
        #expect(answer(21005).cause == "status 21005")
    }
}
