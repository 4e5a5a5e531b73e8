import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// The inputs in `Tests/Fixtures/fuzz` that fuzzers begin with.
enum FuzzCorpus {
    static func files(_ folder: String) throws -> [[UInt8]] {
        let fixtures = Corpus.all[0]
        let files = try fixtures.files(in: folder).map(fixtures.bytes(of:))
        try #require(!files.isEmpty)
        return files
    }
}

extension FuzzPlan {
    /// Calls `execution` with each file of the corpus as it is, then with damaged ones.
    func run<Outcome: Hashable>(
        on corpus: [[UInt8]], with words: [[UInt8]], atLeast percent: UInt64,
        of frequent: Outcome..., sourceLocation: SourceLocation = #_sourceLocation,
        execution: ([UInt8], inout SeededGenerator) throws -> Outcome
    ) throws {
        var whole = SeededGenerator(0)
        for file in corpus { _ = try execution(file, &whole) }
        try run(atLeast: percent, of: frequent, sourceLocation: sourceLocation) { generator in
            var bytes = generator.one(of: corpus)
            bytes.mutate(generator.number(below: 4), with: words, &generator)
            return try execution(bytes, &generator)
        }
    }
}
