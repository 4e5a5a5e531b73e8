/// Why a request is invalid. Never contains what was sent.
package struct BadRequest: Error, Equatable, CustomStringConvertible {
    package let description: String
    let isTooLarge: Bool

    init(_ description: String) {
        self.description = description
        isTooLarge = false
    }

    private init(tooLarge description: String) {
        self.description = description
        isTooLarge = true
    }

    static let tooLarge = BadRequest(
        tooLarge: "The request is larger than \(ValidationRequest.mostBytes >> 20) MiB.")
}
