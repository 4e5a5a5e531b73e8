import Testing

@testable import Reconcile

/// To add a case: a `Scene` with the nights whose folders exist, those that the database has, and
/// the orphans.
@Suite("Folders of runs that the database does not have")
struct OrphanedFolderTests {
    fileprivate struct Scene: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var latest: RunID? = .night(4)
        var nights: [RunID] = [.night(1), .night(2), .night(3), .night(4)]
        var standing: Set<RunID>
        var newest: RunID?
        let orphans: [RunID]
    }

    private static let scenes = [
        Scene(
            testDescription: "the run of latest stands", standing: [.night(4)], newest: .night(4),
            orphans: []),
        Scene(
            testDescription: "an older folder is unknown, but the run of latest stands",
            standing: [.night(2), .night(4)], newest: .night(4), orphans: []),
        Scene(
            testDescription: "a backup of the night before", standing: [.night(2), .night(3)],
            newest: .night(3), orphans: [.night(4)]),
        Scene(
            testDescription: "a backup of three nights before", standing: [.night(1)],
            newest: .night(1), orphans: [.night(2), .night(3), .night(4)]),
        Scene(
            testDescription: "folders before the newest known run are left alone",
            standing: [.night(3)], newest: .night(3), orphans: [.night(4)]),
        Scene(
            testDescription: "a database without a published run: only the run of latest",
            standing: [], newest: nil, orphans: [.night(4)]),
        Scene(
            testDescription: "latest names an older run that failed", latest: .night(2),
            standing: [.night(3)], newest: .night(3), orphans: [.night(4), .night(2)]),
        Scene(
            testDescription: "there is no latest", latest: nil, standing: [], newest: .night(1),
            orphans: []),
    ]

    @Test("Only where latest names such a run are it and later ones found", arguments: scenes)
    fileprivate func orphans(scene: Scene) {
        let folders = OrphanedFolders(latest: scene.latest, nights: scene.nights)
        let found = folders.orphans(standing: scene.standing, newest: scene.newest)
        #expect(found == scene.orphans)
    }
}

extension RunID {
    fileprivate static func night(_ day: Int) -> RunID {
        RunID(text: "2026110\(day)T020000Z-00000\(day)")
    }
}
