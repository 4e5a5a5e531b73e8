#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H
/* For environ. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <malloc.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Swift cannot call prctl: it is variadic. */
static inline int clinux_set_dumpable(int is_dumpable) {
    return prctl(PR_SET_DUMPABLE, is_dumpable, 0, 0, 0);
}

/* Swift 6 refuses a mutable C global such as environ; a function is accepted. */
static inline char **clinux_environment(void) { return environ; }

/* The commit that scripts/build links into the program; null in other builds. */
extern const char reconcile_commit[] __attribute__((weak));
static inline const char *clinux_commit(void) { return reconcile_commit; }
#endif
