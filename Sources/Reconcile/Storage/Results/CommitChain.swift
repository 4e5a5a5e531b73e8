/// The flushes of one worker: each names the number of the one before it.
///
/// The database keeps the number of the last flush. After a failover to a standby without the last
/// commits, or from a backup, it has an earlier one, and the worker learns that what it recorded
/// since is gone. Numbers are random, so no other process can continue the chain.
struct CommitChain: Equatable, Sendable {
    let worker: Int
    /// The number of the last flush that was committed; at first that of the registration.
    private(set) var last: Int

    init(worker: Int, first: Int = .fencingNumber) {
        self.worker = worker
        last = first
    }

    /// A flush, with the same number in each of its attempts.
    struct Link: Equatable, Sendable {
        let worker: Int
        let previous: Int
        let number: Int
    }

    func next(_ number: Int = .fencingNumber) -> Link {
        Link(worker: worker, previous: last, number: number)
    }

    mutating func append(_ link: Link) { last = link.number }
}

extension CommitChain.Link {
    enum Continuity: Equatable, Sendable {
        /// The database has the flush before this one: this one is written now.
        case follows
        /// An earlier attempt was committed, and its response was lost.
        case tookEffect
        /// The database has neither: commits were lost, and nothing is written.
        case isBroken
    }

    /// - Parameter last: the number of the worker's last flush in the database; nil when the
    ///   database does not know the worker.
    func continuity(after last: Int?) -> Continuity {
        switch last {
        case previous: .follows
        case number: .tookEffect
        default: .isBroken
        }
    }
}

extension Int {
    /// A number for a lease, a claim or a flush that no other one has. Counting would give a number
    /// twice when a failover undoes a commit.
    static var fencingNumber: Int { .random(in: 1 ... .max) }
}
