internal import Glibc
internal import Synchronization

/// A minimal HTTP/1.1 server on loopback: keep-alive, `100 Continue` and limits. A few threads
/// share all connections; none waits for one client.
final class HTTPServer: Sendable {
    let ports: [UInt16]
    private let listeners: [Listener]
    /// A pipe: the threads watch its read end, and `stop` writes.
    private let alarm: (read: Int32, write: Int32)
    private let acceptor = ConnectionAcceptor()
    private let threads = Mutex<[pthread_t]>([])

    /// - Parameter ports: one listener each; 0 is any free port.
    init(
        ports: [UInt16], threads count: Int, handler: @escaping EventLoop.Handler,
        connectionEnd: @escaping EventLoop.ConnectionEnd = { _ in }
    ) throws(SimulatorError) {
        var listeners: [Listener] = []
        do throws(SimulatorError) {
            for port in ports { listeners.append(try Listener(port: port)) }
        } catch {
            for listener in listeners { listener.close() }
            throw error
        }
        self.listeners = listeners
        self.ports = listeners.map(\.port)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            for listener in listeners { listener.close() }
            throw SimulatorError(.outOfResources, errno)
        }
        alarm = (ends[0], ends[1])
        for _ in 0..<count { try start(handler, connectionEnd) }
    }

    /// Closes all connections and waits for the threads to end. Call it once.
    func stop() {
        var byte: UInt8 = 1
        _ = write(alarm.write, &byte, 1)
        let running = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in running { pthread_join(thread, nil) }
        for listener in listeners { listener.close() }
        close(alarm.read)
        close(alarm.write)
    }

    private func start(
        _ handler: @escaping EventLoop.Handler, _ connectionEnd: @escaping EventLoop.ConnectionEnd
    ) throws(SimulatorError) {
        let listeners = listeners
        let alarm = alarm.read
        let acceptor = acceptor
        let body = Unmanaged.passRetained(
            ThreadBody {
                EventLoop(
                    listeners: listeners, alarm: alarm, acceptor: acceptor, handler: handler,
                    connectionEnd: connectionEnd
                ).run()
            })
        // Signals are handled by the main thread.
        var all = sigset_t()
        var former = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, threadMain, body.toOpaque())
        guard failure == 0 else {
            body.release()
            stop()
            throw SimulatorError(.outOfResources, failure)
        }
        threads.withLock { $0.append(thread) }
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
