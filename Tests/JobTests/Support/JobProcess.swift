import Foundation
import Testing

@testable import TestSupport

/// The built program, run to its end, and what a test expects of it. A failure prints the command,
/// its status and all that it wrote.
///
///     try await session.job("accept", "12").exits(64).says("is not a finding_id")
struct JobProcess: Sendable {
    let command: String
    /// The exit status, or the number of the signal that ended it.
    let status: Int32
    let output: String
    let error: String

    /// Of stderr.
    var lastLine: String { error.split(separator: "\n").last.map(String.init) ?? "" }
    /// The output without its line breaks and columns: with one blank wherever it has white space.
    var unwrapped: String { output.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    /// The output's lines.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
    /// The lines of stderr.
    var logged: [String] { error.split(separator: "\n").map(String.init) }

    /// Runs the program without a database's address. Few run at a time.
    init(_ words: String..., with launch: Launch = .normal, in folder: String? = nil) async throws {
        try await self.init(words: words, with: launch, in: folder)
    }

    init(
        words: [String], with launch: Launch = .normal, in folder: String? = nil
    ) async throws {
        self = try await ConcurrencyLimit.respected {
            try await launch.start(words, in: folder).finish()
        }
    }

    fileprivate init(_ command: String, _ status: Int32, _ output: String, _ error: String) {
        self.command = command
        self.status = status
        self.output = output
        self.error = error
    }

    private var account: Comment {
        "\(command)\nended with \(status)\nstdout: \(output)\nstderr: \(error)"
    }
}

extension JobProcess {
    @discardableResult
    func exits(_ status: Int32 = 0, _ location: SourceLocation = #_sourceLocation) -> Self {
        #expect(self.status == status, account, sourceLocation: location)
        return self
    }

    /// The last line of stderr contains each text.
    @discardableResult
    func says(_ texts: String..., at location: SourceLocation = #_sourceLocation) -> Self {
        expect("says", texts, at: location) { lastLine.contains($0) }
    }

    /// The last line of stderr ends with the text.
    @discardableResult
    func advises(_ text: String, at location: SourceLocation = #_sourceLocation) -> Self {
        expect("advises", [text], at: location) { lastLine.hasSuffix($0) }
    }

    /// stderr contains each text.
    @discardableResult
    func logs(_ texts: String..., at location: SourceLocation = #_sourceLocation) -> Self {
        expect("logs", texts, at: location) { error.contains($0) }
    }

    @discardableResult
    func logsNothing(_ location: SourceLocation = #_sourceLocation) -> Self {
        #expect(error == "", account, sourceLocation: location)
        return self
    }

    /// stdout contains each text.
    @discardableResult
    func prints(_ texts: String..., at location: SourceLocation = #_sourceLocation) -> Self {
        expect("prints", texts, at: location) { output.contains($0) }
    }

    /// stdout has these lines and no others.
    @discardableResult
    func printsOnly(_ lines: String..., at location: SourceLocation = #_sourceLocation) -> Self {
        #expect(self.lines == lines, account, sourceLocation: location)
        return self
    }

    @discardableResult
    func printsNothing(_ location: SourceLocation = #_sourceLocation) -> Self {
        #expect(output == "", account, sourceLocation: location)
        return self
    }

    /// Neither stdout nor stderr contains any of the texts.
    @discardableResult
    func omits(_ texts: String..., at location: SourceLocation = #_sourceLocation) -> Self {
        expect("omits", texts, at: location) { !output.contains($0) && !error.contains($0) }
    }

    /// stdout as JSON.
    func json(_ location: SourceLocation = #_sourceLocation) throws -> JSONDocument {
        try #require(try? JSONDocument(output), account, sourceLocation: location)
    }

    private func expect(
        _ verb: String, _ texts: [String], at location: SourceLocation, _ holds: (String) -> Bool
    ) -> Self {
        for text in texts where !holds(text) {
            Issue.record("Not so: \(verb) “\(text)”. \(account)", sourceLocation: location)
        }
        return self
    }
}

extension ChildProcess {
    /// Waits until something is printed.
    func ready() async {
        await inThread { [output] in
            var descriptor = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
            while poll(&descriptor, 1, -1) < 0 {}
        }
    }

    /// What the program printed up to and including `end`; everything if it ended before.
    func said(until end: String) async -> String {
        await inThread { [output] in
            var text = ""
            while !text.contains(end) {
                let data = output.availableData
                guard !data.isEmpty else { break }
                text += String(decoding: data, as: UTF8.self)
            }
            return text
        }
    }

    /// Sends the signal, if any, and waits for the process.
    @discardableResult
    func finish(by signal: Int32? = nil) async -> JobProcess {
        if let signal { send(signal) }
        // Both pipes are read in parallel: a process that blocks on a full pipe would never end.
        async let error = text(of: self.error)
        let output = await text(of: self.output)
        return await JobProcess(command, inThread { self.wait() }, output, error)
    }

    private func text(of pipe: FileHandle) async -> String {
        await inThread { String(decoding: pipe.readDataToEndOfFile(), as: UTF8.self) }
    }

    func inThread<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }
}
