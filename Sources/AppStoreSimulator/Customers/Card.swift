struct Card: Hashable, Sendable {
    let story: Story
    let flaw: Flaw
}

/// Each thousand customers get each of the thousand cards once, so that rare cases also occur in a
/// small simulation.
struct Deck: Sendable {
    private static let cards: [Card] = {
        var cards: [Card] = []
        for (story, flaw, count) in counts {
            cards += Array(repeating: Card(story: story, flaw: flaw), count: count)
        }
        let rest = size - cards.count
        precondition(rest >= 100, "The deck holds more than \(size) cards.")
        return cards + Array(repeating: Card(story: .subscriber, flaw: .none), count: rest)
    }()

    static let size = 1_000

    static var kinds: Set<Card> { Set(cards) }

    private let step: Int
    private let start: Int

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed, part: .max)
        // Coprime to the deck's size, so that every card is dealt.
        step = random.one(of: [363, 487, 541, 623, 719, 841, 927])
        start = random.below(Self.size)
    }

    func card(of customer: Int) -> Card { Self.cards[(start + customer * step) % Self.size] }

    private static let counts: [(Story, Flaw, Int)] = rightful + wrongful

    /// Cards on which service and Apple agree, or on which only Apple's answer is unusual.
    private static let rightful: [(Story, Flaw, Int)] = [
        (.yearlySubscriber, .none, 70), (.magazineReader, .none, 40), (.trialing, .none, 20),
        (.introductory, .none, 15), (.offerRedeemed, .none, 8), (.notRenewing, .none, 30),
        (.upgraded, .none, 16), (.downgrading, .none, 10), (.returned, .none, 14),
        (.secondChain, .none, 8), (.familyMember, .none, 16), (.grace, .none, 10),
        (.billingRetry, .none, 8), (.lapsed, .none, 40), (.lapsedLongAgo, .none, 40),
        (.justLapsed, .none, 6), (.priceRefused, .none, 5), (.refunded, .none, 8),
        (.refundedTomorrow, .none, 4), (.refundedEarlier, .none, 6),
        (.refundedAfterExpiry, .none, 4), (.refundReversed, .none, 3), (.familyLeft, .none, 5),
        (.owner, .none, 34), (.ownerRefunded, .none, 5), (.sharedOwnerLeft, .none, 2),
        (.passHolder, .none, 16), (.passExpired, .none, 10), (.coinBuyer, .none, 14),
        (.collector, .none, 24), (.newcomer, .none, 40), (.prospect, .none, 6),
        (.pioneer, .none, 24), (.unsurePioneer, .none, 5), (.volumeBuyer, .none, 4),
        (.oldClient, .none, 18), (.oldClientExpired, .none, 12), (.oldClientRefunded, .none, 3),
        (.tester, .none, 20),
        (.twoApps, .none, 18), (.sharedAccount, .none, 6), (.wrongApp, .none, 3),
        (.accountGone, .none, 5), (.forged, .none, 3), (.signedTransaction, .none, 6),
        (.xcode, .none, 3), (.garbage, .none, 4), (.emptyReceipt, .none, 3),
        (.unknownProduct, .none, 4), (.garbledAnswer, .none, 2), (.implausibleDates, .none, 2),
    ]

    private static let wrongful: [(Story, Flaw, Int)] = [
        (.refunded, .stillGranted, 5), (.refundedLastNight, .stillGranted, 2),
        (.ownerRefunded, .stillGranted, 3), (.familyLeft, .stillGranted, 4),
        (.sharedOwnerLeft, .stillGranted, 2), (.lapsed, .stillGranted, 7),
        (.passExpired, .stillGranted, 2), (.oldClientExpired, .stillGranted, 2),
        (.justLapsed, .stillGranted, 2), (.billingRetry, .stillGranted, 4),
        (.noReceipt, .neverBought, 4), (.newcomer, .neverBought, 4), (.wrongApp, .fooled, 4),
        (.tester, .fooled, 4), (.xcode, .fooled, 2), (.subscriber, .notGranted, 5),
        (.returned, .notGranted, 2), (.oldClient, .notGranted, 2), (.grace, .notGranted, 4),
        (.owner, .notGranted, 3), (.passHolder, .notGranted, 2), (.subscriber, .expiryMissing, 4),
        (.subscriber, .expiryTooLate, 4), (.passHolder, .expiryTooLate, 2),
        (.subscriber, .expiryTooEarly, 5), (.subscriber, .wrongLevel, 3),
        (.upgraded, .wrongLevel, 3),
        (.subscriber, .staleLabel, 4), (.familyMember, .wrongOwnership, 3),
        (.subscriber, .duplicate, 3), (.pioneer, .notGranted, 3), (.forged, .fooled, 2),
        (.garbage, .neverBought, 2), (.signedTransaction, .neverBought, 2),
        (.sharedAccount, .stillGranted, 2), (.oldClientRefunded, .stillGranted, 2),
        (.refundReversed, .notGranted, 3), (.newcomer, .believedPaid, 3),
        (.yearlySubscriber, .sameLevel, 3), (.sharedPioneer, .none, 3),
        (.sharedByPayer, .none, 2),
    ]
}

/// A customer's history at Apple.
enum Story: String, Sendable, CaseIterable {
    case subscriber, yearlySubscriber, magazineReader, trialing, introductory, offerRedeemed
    case notRenewing, upgraded, downgrading, returned, secondChain, familyMember
    case grace, billingRetry
    case lapsed, lapsedLongAgo, justLapsed, priceRefused
    case refunded, refundedLastNight, refundedTomorrow, refundedEarlier, refundedAfterExpiry
    case refundReversed, familyLeft
    case owner, ownerRefunded, sharedOwnerLeft, passHolder, passExpired, coinBuyer, collector
    case newcomer, prospect, pioneer, unsurePioneer, sharedPioneer, volumeBuyer
    case oldClient, oldClientExpired, oldClientRefunded, tester, twoApps, sharedAccount
    case sharedByPayer
    case wrongApp, accountGone, forged, signedTransaction, xcode, garbage, emptyReceipt, noReceipt
    case unknownProduct, garbledAnswer, implausibleDates
}
