internal import Synchronization

/// A user with a refused receipt in the second look, too.
struct UserRefusedAgain: Sendable {
    let user: StoredUser
    let looks: UserLooks
}

final class GroupResult: Sendable {
    private struct State {
        var users: [UserRefusedAgain] = []
        var hasChanged = false
        var requests = RequestRecord()
        /// The server that verified each requested control; nil when none did.
        var controls: [ReceiptID: StoreEnvironment?] = [:]
        var isControlRefused = false
    }

    private let state = Mutex(State())

    func add(_ user: UserRefusedAgain) { state.withLock { $0.users.append(user) } }

    func recordChange() { state.withLock { $0.hasChanged = true } }

    func note(_ look: Look, ofControl receipt: ReceiptID) {
        state.withLock { state in
            state.requests += look.requests
            switch look {
            case .refused:
                state.isControlRefused = true
                state.controls[receipt] = .some(nil)
            case .concluded(let report):
                let isVerified = report.validation.isVerified
                state.controls[receipt] = .some(isVerified ? report.attempts.server : nil)
            }
        }
    }

    var users: [UserRefusedAgain] { state.withLock { $0.users } }
    /// Requests sent for controls.
    var requests: RequestRecord { state.withLock { $0.requests } }
    var isControlRefused: Bool { state.withLock { $0.isControlRefused } }
    var hasChanged: Bool { state.withLock { $0.hasChanged } }
    var controlCount: Int { state.withLock { $0.controls.count } }

    func knowsControl(_ receipt: ReceiptID) -> Bool {
        state.withLock { $0.controls[receipt] != nil }
    }

    func controlsVerified(by server: StoreEnvironment) -> Int {
        state.withLock { $0.controls.values.count { $0 == server } }
    }

    /// Whether fewer than `needed` controls were verified and some had no answer.
    func isControlUnanswered(of needed: Int) -> Bool {
        state.withLock { state in
            let unanswered = state.controls.values.count { $0 == nil }
            return unanswered > 0 && state.controls.count - unanswered < needed
        }
    }

    var refusals: [StoreEnvironment] { users.flatMap { $0.looks.refusals.values } }

    /// Whether the same server refused each of these receipts in the first look too.
    var areRepeated: Bool {
        users.allSatisfy { refused in
            let before = refused.user.firstLook?.refusals ?? [:]
            return refused.looks.refusals.allSatisfy { before[$0.key] == $0.value }
        }
    }
}
