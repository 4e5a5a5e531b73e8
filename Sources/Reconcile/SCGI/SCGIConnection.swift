internal import Glibc

/// One client connection with its unparsed input and unsent output. Never blocks.
final class SCGIConnection {
    enum State: Equatable {
        case header, body, busy, answering
        /// The answer is sent; further input is discarded, because closing now could reset the
        /// connection and lose the answer.
        case lingering
        case closed
    }

    let id: UInt64
    let socket: Int32
    private(set) var state = State.header
    /// When the current state times out, in nanoseconds of the monotonic clock.
    private(set) var deadline: UInt64
    private var bytes: [UInt8] = []
    private var head: SCGIHeader?
    private var unsent: ArraySlice<UInt8> = []
    private var isHalfClosed = false
    private var headerBytes = 0
    private var share = BodyMemory.Share()
    private let limits: SCGILimits

    init(id: UInt64, socket: Int32, limits: SCGILimits, now: UInt64) {
        self.id = id
        self.socket = socket
        self.limits = limits
        deadline = now + limits.headerPatience.nanoseconds
    }

    deinit { Glibc.close(socket) }

    enum Step {
        case nothing
        case request(SCGIRequest)
        case refused(SCGIResponse)
        /// There is no memory for what has arrived. Free some, then call `proceed`.
        case noMemory(BodyMemory.Share)
    }

    /// Reads available input. What has arrived counts in `memory`.
    func receive(
        into buffer: UnsafeMutableRawBufferPointer, _ memory: inout BodyMemory, now: UInt64
    ) -> Step {
        while state != .closed {
            let count = recv(socket, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                if state == .header || state == .body {
                    bytes.append(contentsOf: buffer[..<count])
                    let step = proceed(&memory, now: now)
                    if case .nothing = step {} else { return step }
                }
                if count < buffer.count { return .nothing }
            } else if count == 0 {
                return end()
            } else if errno != EINTR {
                if errno != EAGAIN { state = .closed }
                return .nothing
            }
        }
        return .nothing
    }

    private func end() -> Step {
        isHalfClosed = true
        switch state {
        case .header where bytes.isEmpty: state = .closed
        case .header, .body: return .refused(SCGIResponse(400))
        case .lingering: state = .closed
        case .busy, .answering, .closed: break
        }
        return .nothing
    }

    var wantsInput: Bool { !isHalfClosed && state != .closed }
    var wantsToWrite: Bool { !unsent.isEmpty }

    /// Reads what has arrived, once there is memory for it.
    func proceed(_ memory: inout BodyMemory, now: UInt64) -> Step {
        do throws(SCGIHeader.Refusal) {
            if state == .header, try readHeader() {
                state = .body
                deadline = now + limits.bodyPatience.nanoseconds
            }
        } catch {
            return .refused(SCGIResponse(400))
        }
        let bodyBytes = head?.bodyBytes ?? 0
        guard bodyBytes <= limits.bodyBytes else { return .refused(SCGIResponse(413)) }
        let wanted = BodyMemory.Share(
            bytes: bytes.count + max(0, headerBytes - limits.freeHeaderBytes),
            isLarge: memory.isLarge(bodyBytes))
        guard memory.resize(&share, to: wanted) else { return .noMemory(wanted) }
        guard state == .body, let head, bytes.count >= head.bodyBytes else { return .nothing }
        var body: [UInt8] = []
        swap(&body, &bytes)
        if body.count > head.bodyBytes { body.removeLast(body.count - head.bodyBytes) }
        state = .busy
        self.head = nil
        let headers = head.headers.filter { name, value in
            name == SCGIRequest.keyHeader && value.utf8.count <= limits.freeHeaderBytes
        }
        return .request(
            SCGIRequest(
                method: head.method, path: head.path, headers: headers, body: SCGIBody(body)))
    }

    /// Whether it has a share of that kind, which it would free by ending.
    func mayYield(to other: BodyMemory.Share) -> Bool {
        (state == .header || state == .body) && share.isLarge == other.isLarge && share.bytes > 0
    }

    /// The share that a connection which no longer receives a body still has; once.
    func takeShare() -> BodyMemory.Share? {
        guard state != .header, state != .body else { return nil }
        defer { share = BodyMemory.Share() }
        return share
    }

    /// Parses a complete header and removes it from `bytes`, which then holds only the body.
    private func readHeader() throws(SCGIHeader.Refusal) -> Bool {
        guard let (start, count) = try SCGIHeader.extent(of: bytes, most: limits.headerBytes)
        else { return false }
        let end = start + count
        guard bytes.count > end else { return false }
        guard bytes[end] == UInt8(ascii: ",") else { throw .malformed }
        head = try SCGIHeader(bytes[start..<end])
        bytes.removeFirst(end + 1)
        headerBytes = count
        return true
    }

    // MARK: Answering

    func answer(_ response: SCGIResponse, now: UInt64) {
        guard state != .closed else { return }
        bytes = []
        head = nil
        unsent = response.bytes[...]
        state = .answering
        deadline = now + limits.answerPatience.nanoseconds
        flush()
    }

    func flush() {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                unsent = unsent.dropFirst(count)
            } else if errno != EINTR {
                if errno != EAGAIN { state = .closed }
                return
            }
        }
        guard state == .answering else { return }
        shutdown(socket, Int32(SHUT_WR))
        state = isHalfClosed ? .closed : .lingering
    }

    func expire(now: UInt64) {
        switch state {
        case .busy: deadline = .max
        case .header where bytes.isEmpty: state = .closed
        case .header, .body: answer(SCGIResponse(408), now: now)
        case .answering, .lingering, .closed: state = .closed
        }
    }

    func close() { state = .closed }
}

extension Duration {
    var nanoseconds: UInt64 { UInt64(max(0, self / .nanoseconds(1))) }
}
