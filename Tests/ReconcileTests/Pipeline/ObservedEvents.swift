@testable import Reconcile

/// How many users got a second look, in how many groups.
struct SecondLook: Equatable {
    let users: Int
    let groups: Int
}

/// What a run reported, by the kind of event.
extension [RunEvent] {
    var warnings: [String] {
        compactMap { if case .warning(let text) = $0 { text } else { nil } }
    }

    var paceChanges: [PaceChange] {
        compactMap { if case .pace(let change) = $0 { change } else { nil } }
    }

    var secondLooks: [SecondLook] {
        compactMap { event in
            guard case .secondLook(let users, let groups) = event else { return nil }
            return SecondLook(users: users, groups: groups)
        }
    }

    var refusedControls: [ReceiptID] {
        compactMap { if case .controlRefused(let id) = $0 { id } else { nil } }
    }

    /// The reasons of the rows with a line each.
    var skippedRows: [String] {
        compactMap { if case .skippedRow(_, _, let why) = $0 { why } else { nil } }
    }

    /// The numbers of rows without a line each.
    var skippedMoreRows: [Int] {
        compactMap { if case .skippedMoreRows(let count) = $0 { count } else { nil } }
    }

    var rowsWithoutUser: [RowsWithoutUser] {
        compactMap { if case .rowsWithoutUser(let rows) = $0 { rows } else { nil } }
    }
}

extension RunEvent {
    /// Why the database is out.
    var outage: String? {
        if case .databaseIsOut(let message) = self { message } else { nil }
    }

    var isDatabaseBack: Bool {
        if case .databaseIsBack = self { true } else { false }
    }
}

extension PaceChange {
    var beginsOutage: Bool { if case .outageBegan = self { true } else { false } }

    var endsOutage: Bool { if case .outageEnded = self { true } else { false } }

    var isOfOutage: Bool {
        switch self {
        case .outageBegan, .outageEnded, .outageGaveUp: true
        default: false
        }
    }

    var halvesRate: Bool { if case .rateHalved = self { true } else { false } }

    var stopsApp: Bool { if case .bundleStopped = self { true } else { false } }

    var resumesApp: Bool { if case .bundleResumed = self { true } else { false } }
}
