import Testing

@testable import Reconcile

/// To add a case: a test that adds to buckets and compares each; or a list of raw values.
@Suite("A tally")
struct TallyTests {
    /// As many cases as a tally has room for.
    enum Colour: Int, CaseIterable { case red, green, blue, white, black }

    @Test("Each bucket is counted on its own, the last one, too", arguments: Colour.allCases)
    func buckets(bucket: Colour) {
        var tally = Tally<Colour>()
        tally.add(3, to: bucket)
        for other in Colour.allCases {
            #expect(tally[other] == (other == bucket ? 3 : 0), "\(other)")
        }
        #expect(tally.inScope == 3)
    }

    @Test(
        "The buckets of receipts and of entitlements are numbered from 0 and find room",
        arguments: [
            ("receipts", ReceiptBucket.allCases.map(\.rawValue)),
            ("entitlements", EntitlementBucket.allCases.map(\.rawValue)),
        ])
    func room(of what: String, rawValues: [Int]) {
        #expect(rawValues == Array(0..<rawValues.count))
        #expect(rawValues.count <= Colour.allCases.count)
    }

    @Test("It is balanced if the buckets add up to what is in scope")
    func balanced() {
        var tally = Tally<Colour>()
        #expect(tally.isBalanced)
        tally.add(to: .red)
        tally.add(2, to: .black)
        #expect(tally.isBalanced)
        tally.inScope += 1
        #expect(!tally.isBalanced)
        tally[.green] += 1
        #expect(tally.isBalanced)
    }

    @Test("Tallies are added bucket by bucket")
    func sum() {
        var tally = Tally<Colour>()
        tally.add(1, to: .red)
        var other = Tally<Colour>()
        other.add(2, to: .red)
        other.add(4, to: .black)
        tally += other
        #expect(tally[.red] == 3)
        #expect(tally[.black] == 4)
        #expect(tally.inScope == 7)
    }

    @Test("Tallies that differ in one bucket or in the scope are different")
    func equality() {
        var tally = Tally<Colour>()
        tally.add(to: .black)
        let same = tally
        #expect(tally == same)
        tally[.white] += 1
        #expect(tally != same)
        tally = same
        tally.inScope += 1
        #expect(tally != same)
    }
}
