struct GuardRule: Sendable {
    /// Raw values are used by the column `guard` and the summary.
    enum Name: String, Sendable {
        case empty, shrunk
        case noAppStoreRows = "no_app_store_rows"
        case stale
        case noSecret = "no_secret"
        case unusable
        case notJudged = "not_judged"
        case leap
    }

    let name: Name
    /// The flag that sets the threshold, without the dashes.
    let flag: String
    /// One message per problem, with its numbers and what to do; empty when there is none.
    let sentences: @Sendable (GuardCase) -> [String]

    init(_ name: Name, _ flag: String, _ sentences: @escaping @Sendable (GuardCase) -> [String]) {
        self.name = name
        self.flag = flag
        self.sentences = sentences
    }

    /// Guards on the rows of the views, checked before the first request.
    static let ofViews: [GuardRule] = [.empty, .shrunk, .noAppStoreRows, .stale, .noSecret]
    /// Guards on the results, checked after all users are judged.
    static let ofResult: [GuardRule] = [.unusable, .notJudged, .leap]
}
