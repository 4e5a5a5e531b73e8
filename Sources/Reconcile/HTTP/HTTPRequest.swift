/// A request. Prints as `‹redacted›`: it may hold a secret, and a receipt is as good as one.
struct HTTPRequest: Sendable {
    let url: String
    /// JSON to post; nil: a GET.
    var body: [UInt8]?
    /// The value of the header `Authorization`.
    var authorization: String?
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    var description: String { "‹redacted›" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
