internal import Reconcile

extension Flag {
    /// What only the commands of the dispute desk take.
    static let desk: [Flag] = [
        Flag(
            "transaction", .list(placeholder: "ID"),
            "the customer of this transaction: one that covers a right, or the first of its chain",
            of: [.explain]
        ) {
            text, _, configuration throws(InvalidValue) in
            configuration.desk.transactions.append(TransactionID(try FlagValue.text(text)))
        },
        .value(
            "finding", "ID",
            "the customer, or the answer, of this finding; the beginning of its id will do",
            of: [.explain, .evidence], to: \.desk.finding
        ) { text throws(InvalidValue) in try FlagValue.findingID(text) },
        .value(
            "run", "RUN", "as this run judged; the beginning of its id will do",
            default: .described("the newest published run, or the last that has the finding"),
            of: [.explain, .evidence], to: \.run,
            FlagValue.text),
        .bare(
            "signed",
            "print the receipt that Apple signed as it answered (latest_receipt), PKCS#7 in DER",
            of: [.evidence], to: \.desk.isSigned),
        .bare(
            "all",
            "also events, and columns that move by themselves from night to night (days, amounts)",
            of: [.diff], to: \.showsAll),
    ]
}
