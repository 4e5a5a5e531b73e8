internal import Reconcile

extension Flag {
    static let tieOut: [Flag] = [
        .value(
            "within", "N%",
            "how far the units of all days may be from Apple's: a share of Apple's, rounded up to a"
                + " whole unit for sales and down for refunds", default: .value("0.5%"),
            of: [.tieOut], to: \.tieOut.within
        ) { text in try FlagValue.tolerance(text) },
        Flag(
            "app", .list(placeholder: "BUNDLE=SKU"),
            "compare this app only, whose SKU in App Store Connect is the sales reports' Parent"
                + " Identifier; an app may have several SKUs",
            default: .described("everything in the files"), of: [.tieOut]
        ) { text, _, configuration in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let bundle = parts.first, let sku = parts.last,
                !bundle.isEmpty, !sku.isEmpty
            else { throw InvalidValue(text, isNot: "an app, such as com.example.app=EXAMPLE") }
            let app = BundleID(String(bundle))
            let former = configuration.tieOut.apps.updateValue(app, forKey: AppSKU(String(sku)))
            guard former == nil || former == app else {
                throw InvalidValue("gives the SKU \(sku) to two apps. Give it to one.")
            }
        },
    ]
}

extension FlagValue {
    static func tolerance(_ text: String) throws -> Tolerance {
        guard let tolerance = Tolerance(text) else {
            throw InvalidValue(text, isNot: "a share of at most 100%, for example 0.5%")
        }
        return tolerance
    }
}
