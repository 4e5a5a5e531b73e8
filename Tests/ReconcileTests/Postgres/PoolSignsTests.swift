internal import Testing

@testable import Reconcile

/// To add a case: a `Pool` with the processes that answer two connections in turn, twice each, and
/// whether they share processes.
@Suite("Signs of a pooler that shares server processes")
struct PoolSignsTests {
    struct Pool: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The processes that answer, in turn: twice the first connection, twice the second.
        let processes: [Int]
        let isShared: Bool

        init(_ label: String, _ processes: [Int], isShared: Bool) {
            testDescription = label
            self.processes = processes
            self.isShared = isShared
        }
    }

    @Test(
        "Connections share processes when one changes its process, or both have the same",
        arguments: [
            Pool("each has its own", [7, 7, 8, 8, 7, 7, 8, 8], isShared: false),
            Pool(
                "an idle pool gives both the same process", [7, 7, 7], isShared: true),
            Pool("a busy pool gives any process", [7, 7, 8, 8, 9], isShared: true),
            Pool("a pool of two in turn", [7, 8], isShared: true),
            Pool("the second connection changes", [7, 7, 8, 9], isShared: true),
            Pool("nothing is known yet", [7, 7], isShared: false),
        ])
    func shared(pool: Pool) {
        var signs = PoolSigns()
        for (index, process) in pool.processes.enumerated() {
            if index % 4 < 2 { signs.note(first: process) } else { signs.note(second: process) }
        }
        #expect(signs.areShared == pool.isShared)
    }
}
