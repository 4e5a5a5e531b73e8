internal import CLinux

/// Settings of glibc's malloc.
enum Heap {
    /// Keeps a few megabytes of freed memory. An answer of 25 KB and everything parsed from it is
    /// allocated and freed thousands of times a second; by default, glibc returns the top of the
    /// heap to the kernel each time and faults it in again page by page.
    static func keepFreedMemory() {
        mallopt(M_TRIM_THRESHOLD, 8 << 20)
        mallopt(M_TOP_PAD, 1 << 20)
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        // By default each thread gets its own arena, and memory grows for as long as a run lasts.
        // With two arenas threads contend: 5 % of the CPU (docs/decisions/0077).
        mallopt(M_ARENA_MAX, 4)
    }
}
