import Testing

@testable import TestSupport

extension JobProcess {
    /// Expects this exit status, and these texts in the output and in the last line of stderr.
    /// - Parameters:
    ///   - ending: of the last line.
    ///   - never: neither in the output nor on stderr.
    @discardableResult
    func ends(
        _ status: Int32 = 0, out: [String] = [], last: [String] = [], ending: String = "",
        never: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) -> JobProcess {
        let all = Comment(rawValue: output + error)
        #expect(self.status == status, all, sourceLocation: sourceLocation)
        for text in out { #expect(output.contains(text), all, sourceLocation: sourceLocation) }
        for text in last { #expect(lastLine.contains(text), all, sourceLocation: sourceLocation) }
        #expect(lastLine.hasSuffix(ending), all, sourceLocation: sourceLocation)
        for text in never {
            #expect(!(output + error).contains(text), all, sourceLocation: sourceLocation)
        }
        return self
    }

    /// The lines of stderr with this text.
    func errors(with text: String) -> [Substring] {
        error.split(separator: "\n").filter { $0.contains(text) }
    }
}
