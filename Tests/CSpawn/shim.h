#ifndef CSPAWN_SHIM_H
#define CSPAWN_SHIM_H
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* GNU's, of glibc 2.34 at the latest, which Swift's module of it leaves out. */
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *__restrict,
                                         const char *__restrict folder);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int from);

/* GNU's, too: with this flag the calling thread has a umask of its own from now on. */
int unshare(int flags);
static const int cspawn_own_umask = 0x200; /* CLONE_FS */

/* System calls that cspawn_refuse can refuse. */
static const unsigned int cspawn_symlinkat = SYS_symlinkat;
static const unsigned int cspawn_read = SYS_read;
static const unsigned int cspawn_renameat = SYS_renameat;

/* Makes a system call fail with `error` on the calling thread: symlinkat with EPERM, as on a file
 * system without symbolic links, renameat with EPERM, as on one that renames nothing over another
 * name, or read with EIO, as from a broken disk. Macros and variadic
 * functions: Swift can use neither. */
static inline int cspawn_refuse(unsigned int call, unsigned int error) {
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof steps / sizeof *steps, .filter = steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
#endif
