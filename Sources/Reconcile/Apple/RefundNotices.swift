/// A source that can tell what Apple sent to the servers of whole apps.
package protocol RefundNotices: Sendable {
    /// What asks for the notices of a window, page by page.
    /// - Parameter take: gets those of each page, which may be none, when the page is whole.
    func exchange(
        about window: NoticeWindow,
        take: @escaping @Sendable ([RefundNotice]) async throws -> Void
    ) -> any Exchange

    /// The transaction in a kept notice, and whose it is.
    static func refund(in payload: [UInt8]) -> Receipt?
}
