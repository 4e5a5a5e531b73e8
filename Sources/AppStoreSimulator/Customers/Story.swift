/// What a customer lives through at Apple.
enum Story: String, Sendable, CaseIterable {
    // Subscriptions that run.
    case subscriber, yearlySubscriber, magazineReader, trialing, introductory, offerRedeemed
    case notRenewing, upgraded, downgrading, returned, secondChain, familyMember
    // Payments that fail.
    case grace, billingRetry
    // Subscriptions that ended.
    case lapsed, lapsedLongAgo, justLapsed, priceRefused
    case refunded, refundedLastNight, refundedTomorrow, refundedEarlier, refundedAfterExpiry
    case refundReversed, familyLeft
    // What is bought once.
    case owner, ownerRefunded, sharedOwnerLeft, passHolder, passExpired, coinBuyer, collector
    // Who got the app, and how.
    case newcomer, prospect, pioneer, unsurePioneer, sharedPioneer, volumeBuyer
    case oldClient, oldClientExpired, oldClientRefunded, tester, twoApps, sharedAccount
    // What is wrong with the receipt.
    case wrongApp, accountGone, forged, signedTransaction, xcode, garbage, emptyReceipt, noReceipt
    // What Apple's answers get wrong.
    case unknownProduct, garbledAnswer, implausibleDates
}
