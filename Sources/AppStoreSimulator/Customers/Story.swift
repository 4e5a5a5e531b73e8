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
    case wrongApp, accountGone, forged, signedTransaction, xcode, garbage, emptyReceipt, noReceipt
    case unknownProduct, garbledAnswer, implausibleDates
}
