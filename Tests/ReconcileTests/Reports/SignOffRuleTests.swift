import Testing

@testable import Reconcile

/// To add a case, copy a row: who has signed before, who signs now, and what becomes of it. All
/// sign the bytes `a` unless a row says otherwise.
@Suite("Who may sign a folder")
struct SignOffRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let earlier: [SignOff]
        let new: SignOff
        /// Nil: it is new. A part of what is said, else.
        let refusal: String?
        let isKnown: Bool

        init(
            _ label: String, _ new: SignOff, after earlier: SignOff..., refused: String? = nil,
            isKnown: Bool = false
        ) {
            testDescription = label
            self.new = new
            self.earlier = earlier
            refusal = refused
            self.isKnown = isKnown
        }
    }

    private static let cases = [
        Case("the first preparer", .preparer("Ann")),
        Case("a reviewer after the preparer", .reviewer("Bob"), after: .preparer("Ann")),
        Case("a second preparer", .preparer("Bob"), after: .preparer("Ann")),
        Case(
            "a second reviewer", .reviewer("Cyd"), after: .preparer("Ann"), .reviewer("Bob")),
        Case("a reviewer alone", .reviewer("Bob"), refused: "Nobody has signed it as preparer."),
        Case(
            "the preparer as reviewer", .reviewer("Ann"), after: .preparer("Ann"),
            refused: "must be another person"),
        Case(
            "in other letters and with blanks", .reviewer(" ANN  lee\u{A0}"),
            after: .preparer("Ann Lee"), refused: "must be another person"),
        Case(
            "with a character that takes no place", .reviewer("A\u{200B}nn"),
            after: .preparer("Ann"), refused: "must be another person"),
        Case(
            "written in another way", .reviewer("Jose\u{301}"), after: .preparer("Jos\u{E9}"),
            refused: "must be another person"),
        Case(
            "the reviewer as preparer", .preparer("Bob"), after: .preparer("Ann"),
            .reviewer("Bob"), refused: "must be another person"),
        Case(
            "the same again", .preparer("ann"), after: .preparer("Ann"), isKnown: true),
        Case(
            "a reviewer of bytes that changed since", .reviewer("Bob", of: "b"),
            after: .preparer("Ann"), refused: "since its files were changed"),
        Case(
            "the former preparer as reviewer of other bytes", .reviewer("Ann", of: "b"),
            after: .preparer("Ann"), .preparer("Bob", of: "b")),
        Case("the preparer of other bytes", .preparer("Ann", of: "b"), after: .preparer("Ann")),
    ]

    @Test("The preparer signs first, and the reviewer is another person", arguments: cases)
    func rule(row: Case) {
        switch row.new.verdict(after: row.earlier) {
        case .isNew:
            #expect(row.refusal == nil)
            #expect(!row.isKnown)
        case .isKnown(let known):
            #expect(row.isKnown)
            #expect(known == row.earlier.first)
        case .isRefused(let why): #expect(why.contains(row.refusal ?? "nothing"), "\(why)")
        }
    }

    @Test("A name says something", arguments: [("Ann", true), ("  ", false), ("\u{200B}", false)])
    func person(name: String, isPerson: Bool) {
        #expect(SignOff.isPerson(name) == isPerson)
    }
}

extension SignOff {
    static func preparer(_ by: String, of digest: String = "a") -> SignOff {
        .line(.preparer, by, digest)
    }

    static func reviewer(_ by: String, of digest: String = "a") -> SignOff {
        .line(.reviewer, by, digest)
    }

    private static func line(_ role: Role, _ by: String, _ digest: String) -> SignOff {
        SignOff(
            SignedFolder(.run, named: "20261120T020000Z-3f2a91"),
            manifestSHA256: String(repeating: digest, count: 64), as: role, by: by,
            note: "October", at: Instant(milliseconds: 1_795_140_000_000))
    }
}
