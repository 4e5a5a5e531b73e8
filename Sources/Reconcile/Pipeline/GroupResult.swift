internal import Synchronization

/// A user with a refused receipt in the second look, too.
struct UserRefusedAgain: Sendable {
    let user: StoredUser
    let inquiry: Inquiry
}

/// Collects the answers about a group from the tasks that ask.
final class GroupResult: Sendable {
    private struct State {
        var users: [UserRefusedAgain] = []
        var requests = RequestRecord()
        var answers = GroupAnswers()
    }

    private let state = Mutex(State())

    func add(_ refused: UserRefusedAgain) {
        let before = refused.user.firstPass?.refusals ?? []
        let again = refused.inquiry.refusals
        state.withLock { state in
            state.users.append(refused)
            for refusal in again { state.answers.refusals[refusal.server, default: 0] += 1 }
            if !again.isSubset(of: before) { state.answers.areRepeated = false }
        }
    }

    func recordChange() { state.withLock { $0.answers.hasChanged = true } }

    func note(_ result: QuestionResult, ofControl receipt: ReceiptID) {
        state.withLock { state in
            state.requests += result.requests
            switch result {
            case .refused:
                state.answers.isControlRefused = true
                state.answers.controls[receipt] = .some(nil)
            case .concluded(let report):
                let isVerified = report.validation.isVerified
                state.answers.controls[receipt] = .some(
                    isVerified ? report.attempts.server : nil)
            }
        }
    }

    var users: [UserRefusedAgain] { state.withLock { $0.users } }
    /// Requests sent for controls.
    var requests: RequestRecord { state.withLock { $0.requests } }
    var answers: GroupAnswers { state.withLock { $0.answers } }
}
