import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The check of the reports folder before a run")
struct ReportFolderCheckTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    @Test("A missing folder is created, and nothing is left in it")
    func makes() throws {
        try ReportFolder.check(place.path + "/reports")
        #expect(try place.mode(of: "reports") == 0o750)
        try ReportFolder.check(place.path + "/reports")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/reports") == [])
    }

    @Test("An existing folder keeps its mode")
    func keeps() throws {
        let path = place.path + "/reports"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o770])
        try FileManager.default.setAttributes([.posixPermissions: 0o770], ofItemAtPath: path)
        try ReportFolder.check(path)
        #expect(try place.mode(of: "reports") == 0o770)
    }

    @Test("Leftovers of a killed check do not stop a later one with the same process id")
    func killedCheck() throws {
        for name in [".probe-\(getpid()).partial", ".probe-\(getpid())-moved.partial"] {
            try FileManager.default.createDirectory(
                atPath: place.path + "/" + name, withIntermediateDirectories: false)
            _ = try place.write("probe\n", to: name + "/probe")
        }
        try FileManager.default.createSymbolicLink(
            atPath: place.path + "/.latest.partial", withDestinationPath: "20261120T020000Z-000001")
        try ReportFolder.check(place.path)
        #expect(try place.names == [])
    }

    @Test("The check leaves files of living processes and of other programs alone")
    func living() throws {
        let living = try ReportFolder(reports: place.path, run: .sample())
        _ = try place.write("x", to: ".upload.partial")
        _ = try place.write("x", to: "notes.partial")
        let before = try place.names
        try ReportFolder.check(place.path)
        #expect(try place.names == before)
        withExtendedLifetime(living) {}
    }

    @Test("A missing parent, a file, and a `latest` that is not a link are refused")
    func refuses() throws {
        let file = try place.write("x", to: "file")
        for (path, code) in [(place.path + "/no/reports", ENOENT), (file, ENOTDIR)] {
            #expect(throws: ReportError(.cannotCreate(code), path: path)) {
                try ReportFolder.check(path)
            }
        }
        _ = try place.write("x", to: "latest")
        #expect(throws: ReportError(.occupied, path: place.path + "/latest")) {
            try ReportFolder.check(place.path)
        }
    }

    @Test(
        "A disk error and a missing permission are told apart, with what to do",
        arguments: [
            (
                ReportError.making("reports", EACCES),
                """
                Cannot write reports at reports: Permission denied. Make the folder \
                writable for this user, or give another one with --reports.
                """
            ),
            (
                .making("reports/.x", ENOSPC),
                """
                Writing reports/.x failed: No space left on device. Nothing was published. \
                Free space or repair the disk, then run again.
                """
            ),
            (
                ReportError(.occupied, path: "reports/latest"),
                """
                reports/latest already exists and was not created by this job. Nothing was \
                published. Move it away, then run again.
                """
            ),
        ])
    func messages(error: ReportError, text: String) { #expect(error.description == text) }
}
