/// A customer's history at Apple.
enum Story: String, Sendable, CaseIterable {
    // Active subscriptions.
    case subscriber, yearlySubscriber, magazineReader, trialing, introductory, offerRedeemed
    case notRenewing, upgraded, downgrading, returned, secondChain, familyMember
    // Failing payments.
    case grace, billingRetry
    // Subscriptions that ended.
    case lapsed, lapsedLongAgo, justLapsed, priceRefused
    case refunded, refundedLastNight, refundedTomorrow, refundedEarlier, refundedAfterExpiry
    case refundReversed, familyLeft
    // One-time purchases.
    case owner, ownerRefunded, sharedOwnerLeft, passHolder, passExpired, coinBuyer, collector
    // How the customer got the app.
    case newcomer, prospect, pioneer, unsurePioneer, sharedPioneer, volumeBuyer
    case oldClient, oldClientExpired, oldClientRefunded, tester, twoApps, sharedAccount
    // Unusual receipts.
    case wrongApp, accountGone, forged, signedTransaction, xcode, garbage, emptyReceipt, noReceipt
    // Unusual answers.
    case unknownProduct, garbledAnswer, implausibleDates
}
