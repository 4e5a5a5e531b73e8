internal import CLinux

/// How glibc's heap is kept.
enum Heap {
    /// An answer of 25 KB and all that is read from it come and go thousands of times a second.
    /// Left alone, glibc gives the top of the heap back each time, and asks for it again page by
    /// page. So a few megabytes are kept.
    static func keepFreedMemory() {
        mallopt(M_TRIM_THRESHOLD, 8 << 20)
        mallopt(M_TOP_PAD, 1 << 20)
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        // Else each thread keeps memory of its own, and the more of it the longer a run lasts; with
        // two, threads wait for each other: 5 % of the CPU (docs/performance.md).
        mallopt(M_ARENA_MAX, 4)
    }
}
