internal import Reconcile

extension Flag {
    static let investigation: [Flag] = [
        Flag(
            "transaction", .list(placeholder: "ID"),
            "the customer of this transaction: one that gives a right, or an original transaction",
            of: [.explain]
        ) { text, _, configuration in
            configuration.investigation.transactions.append(TransactionID(try FlagValue.text(text)))
        },
        .value(
            "finding", "ID",
            "the customer, or the answer, of this finding; the beginning of its id is enough",
            of: [.explain, .evidence], to: \.investigation.finding
        ) { text in try FlagValue.findingID(text) },
        .value(
            "run", "RUN",
            "use this run's results, published or not: the beginning of its id, latest or previous",
            default: .described("the newest published run, or the last that has the finding"),
            of: [.explain, .evidence], to: \.run,
            FlagValue.text),
        .bare(
            "signed",
            "print the signed receipt in the answer (latest_receipt), PKCS#7 in DER",
            of: [.evidence], to: \.investigation.isSigned),
        .bare(
            "all",
            "also show events, and columns that change with the date (days, amounts)",
            of: [.diff], to: \.showsAll),
    ]
}
