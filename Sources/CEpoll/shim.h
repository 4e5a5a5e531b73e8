#ifndef CEPOLL_SHIM_H
#define CEPOLL_SHIM_H
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/* Swift cannot import epoll_event well: it is packed and contains a union. */
static inline int cepoll_control(int epoll, int operation, int socket, uint32_t events,
                                 uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, operation, socket, &event);
}

/* Ready events of one descriptor. */
struct cepoll_ready {
    uint64_t token;
    uint32_t events;
};

/* Returns at most 256 ready descriptors. */
static inline int cepoll_wait(int epoll, struct cepoll_ready *ready, int milliseconds) {
    struct epoll_event events[256];
    int count = epoll_wait(epoll, events, 256, milliseconds);
    for (int index = 0; index < count; index++) {
        ready[index].token = events[index].data.u64;
        ready[index].events = events[index].events;
    }
    return count;
}

/* Copies of macros that Swift loses when another C library imports the same header. */
static const int cepoll_stream = SOCK_STREAM | SOCK_CLOEXEC;

static const uint32_t cepoll_in = EPOLLIN;
static const uint32_t cepoll_out = EPOLLOUT;
static const uint32_t cepoll_broken = EPOLLERR | EPOLLHUP;
static const int cepoll_close_on_exec = EPOLL_CLOEXEC;
static const int cepoll_add = EPOLL_CTL_ADD;
static const int cepoll_modify = EPOLL_CTL_MOD;
static const int cepoll_event_flags = EFD_CLOEXEC | EFD_NONBLOCK;
#endif
