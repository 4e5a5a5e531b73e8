import Testing

@testable import Reconcile

/// A kind with the smallest world that shows it, and the nearest one that does not.
struct KindCase: Sendable, CustomTestStringConvertible {
    let kind: FindingKind
    let nearMiss: World
    /// That on the first row of the near miss.
    let nearVerdict: Verdict
    /// The world in which the cause, or the event, is on that day.
    let world: @Sendable (_ cause: Double) -> World

    init(
        _ kind: FindingKind, nearMiss: World, nearVerdict: Verdict = .consistent,
        world: @escaping @Sendable (_ cause: Double) -> World
    ) {
        self.kind = kind
        self.nearMiss = nearMiss
        self.nearVerdict = nearVerdict
        self.world = world
    }

    var testDescription: String { kind.rawValue }

    /// The table gives the line no cause.
    var neverSettles: Bool {
        [.freemiumUndecidable, .freemiumPaidNotGranted, .ownershipMismatch].contains(kind)
    }

    /// The verdict before the cause is a day old.
    var early: Verdict { neverSettles ? .found(kind) : .settling }
}

/// All that is known of a user.
struct World: Sendable {
    var receipts: [ShownReceipt] = []
    var rows: [Row] = []
    var history: [LedgerEntry] = []
    var keys: [StoredDownloadKey] = []

    func adding(_ more: ShownReceipt) -> World {
        var world = self
        world.receipts.append(more)
        return world
    }

    func adding(_ more: Row) -> World {
        var world = self
        world.rows.append(more)
        return world
    }

    /// The same, but the first row was changed after the judgement.
    var inFlux: World {
        var world = self
        world.rows[0].changed = 0.001
        return world
    }

    func judgement(by judge: Judge = KindCase.judge) -> Judgement {
        var evidence = UserEvidence(receipts, rows: rows)
        evidence.downloadKeys = keys
        return judge.judgement(of: evidence.proven(for: judge), history: UserHistory(history))
    }
}
