#ifndef CEPOLL_SHIM_H
#define CEPOLL_SHIM_H
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/* epoll_event is packed and holds a union, neither of which Swift imports well. */
static inline int cepoll_control(int epoll, int operation, int socket, uint32_t events,
                                 uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, operation, socket, &event);
}

/* The readiness of one descriptor. */
struct cepoll_ready {
    uint64_t token;
    uint32_t events;
};

/* At most 256 of them. */
static inline int cepoll_wait(int epoll, struct cepoll_ready *ready, int milliseconds) {
    struct epoll_event events[256];
    int count = epoll_wait(epoll, events, 256, milliseconds);
    for (int index = 0; index < count; index++) {
        ready[index].token = events[index].data.u64;
        ready[index].events = events[index].events;
    }
    return count;
}

/* Swift loses these where another C library has brought the same header along. */
static const int cepoll_stream = SOCK_STREAM | SOCK_CLOEXEC;

static const uint32_t cepoll_in = EPOLLIN;
static const uint32_t cepoll_out = EPOLLOUT;
static const uint32_t cepoll_broken = EPOLLERR | EPOLLHUP;
static const int cepoll_close_on_exec = EPOLL_CLOEXEC;
static const int cepoll_add = EPOLL_CTL_ADD;
static const int cepoll_modify = EPOLL_CTL_MOD;
static const int cepoll_event_flags = EFD_CLOEXEC | EFD_NONBLOCK;
#endif
