#ifndef CSPAWN_SHIM_H
#define CSPAWN_SHIM_H
#include <spawn.h>

/* GNU's, of glibc 2.34 at the latest, which Swift's module of it leaves out. */
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *__restrict,
                                         const char *__restrict folder);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int from);
#endif
