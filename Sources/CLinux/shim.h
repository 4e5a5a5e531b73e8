#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H
#include <sys/prctl.h>

/* prctl is variadic, which Swift cannot call. */
static inline int clinux_set_dumpable(int is_dumpable) {
    return prctl(PR_SET_DUMPABLE, is_dumpable, 0, 0, 0);
}
#endif
