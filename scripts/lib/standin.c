// A simulated Apple with minimal cost, so that measurements show the job's: one thread, one epoll,
// prepared answers. For scripts/bench.
//
//   standin ANSWER LATENCY ARRIVALS
//
// The file ANSWER has the body. Each run of 12 `@` is replaced with the 12 digits that follow MARK in
// the request, so that every customer has different transactions. Each answer is delayed by LATENCY
// milliseconds. Prints its port; on SIGTERM writes one line a request to ARRIVALS: the time of its
// arrival, in seconds, and the seconds that all requests together had been in flight by then. The
// growth of that sum in one second is the mean number of requests in flight.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

static const char MARK[] = "ReceiptSerialNo0";
enum { SERIAL_DIGITS = 12, REQUEST_BYTES = 256 * 1024, MOST_PLACES = 8192 };

struct connection {
    int fd;
    // True between a complete request and its answer.
    int is_waiting;
    double arrived, due;
    struct connection *next;
    size_t unread, unsent;
    char *answer;
    char request[REQUEST_BYTES];
};

struct arrival {
    double at, waited;
};

static char *answer;
static size_t answer_bytes, places[MOST_PLACES], place_count;
static double latency, waited, waited_until;
static struct arrival *arrivals;
static size_t arrival_count, arrival_room;
static int under_way, queue;
// Answers are due in the order of their requests, since all have the same delay.
static struct connection *first_due, *last_due;

static void fail(const char *what) {
    perror(what);
    exit(70);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void read_answer(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail(path);
    fseek(file, 0, SEEK_END);
    size_t body_bytes = (size_t)ftell(file);
    rewind(file);
    answer = malloc(body_bytes + 256);
    if (!answer) fail("malloc");
    int head_bytes = sprintf(answer,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
        body_bytes);
    answer_bytes = (size_t)head_bytes + body_bytes;
    if (fread(answer + head_bytes, 1, body_bytes, file) != body_bytes) fail(path);
    fclose(file);
    char *from = answer, *place;
    while ((place = memmem(from, answer_bytes - (size_t)(from - answer), "@@@@@@@@@@@@",
                SERIAL_DIGITS))) {
        if (place_count == MOST_PLACES) {
            fprintf(stderr, "standin: too many places in %s\n", path);
            exit(64);
        }
        places[place_count++] = (size_t)(place - answer);
        from = place + SERIAL_DIGITS;
    }
}

// Must be called before the number of requests in flight changes.
static void sum_up_waiting(void) {
    double time = now();
    waited += under_way * (time - waited_until);
    waited_until = time;
}

static void note(double at) {
    if (arrival_count == arrival_room) {
        arrival_room = arrival_room ? arrival_room * 2 : 65536;
        arrivals = realloc(arrivals, arrival_room * sizeof *arrivals);
        if (!arrivals) fail("realloc");
    }
    arrivals[arrival_count++] = (struct arrival){at, waited};
}

static void watch(int how, int fd, uint32_t events, void *what) {
    struct epoll_event event = {.events = events, .data.ptr = what};
    if (epoll_ctl(queue, how, fd, &event)) fail("epoll_ctl");
}

static void close_connection(struct connection *it) {
    if (it->fd >= 0) close(it->fd);
    it->fd = -1;
    // A waiting request is still in the queue, and freed from there.
    if (it->is_waiting) return;
    free(it->answer);
    free(it);
}

static void send_rest(struct connection *it) {
    while (it->unsent) {
        ssize_t sent = send(it->fd, it->answer + answer_bytes - it->unsent, it->unsent,
            MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN) {
            watch(EPOLL_CTL_MOD, it->fd, EPOLLOUT, it);
            return;
        }
        if (sent <= 0) {
            close_connection(it);
            return;
        }
        it->unsent -= (size_t)sent;
    }
}

static void send_answer(struct connection *it) {
    sum_up_waiting();
    under_way -= 1;
    it->is_waiting = 0;
    if (it->fd < 0) {
        close_connection(it);
        return;
    }
    const char *mark = memmem(it->request, it->unread, MARK, sizeof MARK - 1);
    size_t left = mark ? it->unread - (size_t)(mark - it->request) : 0;
    it->unread = 0;
    if (left < sizeof MARK - 1 + SERIAL_DIGITS) {
        fprintf(stderr, "standin: a request without a serial\n");
        close_connection(it);
        return;
    }
    for (size_t i = 0; i < place_count; i++)
        memcpy(it->answer + places[i], mark + sizeof MARK - 1, SERIAL_DIGITS);
    it->unsent = answer_bytes;
    send_rest(it);
}

// The time at which the kernel received the bytes: scheduling delays of this process must not
// distort the check of the rate limit.
static double arrival_time(struct msghdr *message) {
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec time;
            memcpy(&time, CMSG_DATA(c), sizeof time);
            return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
        }
    return now();
}

static int is_whole(struct connection *it) {
    char *end = memmem(it->request, it->unread, "\r\n\r\n", 4);
    if (!end) return 0;
    *end = 0;
    char *length = strcasestr(it->request, "content-length:");
    *end = '\r';
    size_t body = length ? strtoul(length + 15, NULL, 10) : 0;
    return it->unread >= (size_t)(end - it->request) + 4 + body;
}

static void receive(struct connection *it) {
    char control[256];
    struct iovec room = {it->request + it->unread, REQUEST_BYTES - 1 - it->unread};
    struct msghdr message = {.msg_iov = &room, .msg_iovlen = 1, .msg_control = control,
        .msg_controllen = sizeof control};
    ssize_t count = recvmsg(it->fd, &message, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0 || it->is_waiting) {
        close_connection(it);
        return;
    }
    if (it->unread == 0) it->arrived = arrival_time(&message);
    it->unread += (size_t)count;
    it->request[it->unread] = 0;
    if (!is_whole(it)) return;
    sum_up_waiting();
    under_way += 1;
    note(it->arrived);
    if (latency == 0) {
        send_answer(it);
        return;
    }
    it->is_waiting = 1;
    it->due = now() + latency;
    it->next = NULL;
    if (first_due) last_due->next = it;
    else first_due = it;
    last_due = it;
}

static void accept_connections(int listener) {
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED) return;
            fail("accept");
        }
        int yes = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes);
        struct connection *it = calloc(1, sizeof *it);
        if (!it || !(it->answer = malloc(answer_bytes))) fail("malloc");
        memcpy(it->answer, answer, answer_bytes);
        it->fd = fd;
        watch(EPOLL_CTL_ADD, fd, EPOLLIN, it);
    }
}

static void send_what_is_due(void) {
    double time = now();
    while (first_due && first_due->due <= time) {
        struct connection *it = first_due;
        first_due = it->next;
        send_answer(it);
    }
}

static int milliseconds_until_due(void) {
    if (!first_due) return -1;
    double wait = first_due->due - now();
    return wait <= 0 ? 0 : (int)(wait * 1000) + 1;
}

static void write_arrivals(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) fail(path);
    for (size_t i = 0; i < arrival_count; i++)
        fprintf(file, "%.6f %.6f\n", arrivals[i].at, arrivals[i].waited);
    if (fclose(file)) fail(path);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: standin ANSWER LATENCY ARRIVALS\n");
        return 64;
    }
    // The parent may be killed before it can end this process.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    read_answer(argv[1]);
    latency = atof(argv[2]) / 1000;

    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    int end = signalfd(-1, &ends, SFD_CLOEXEC);
    queue = epoll_create1(EPOLL_CLOEXEC);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (end < 0 || queue < 0 || listener < 0
        || bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096)
        || getsockname(listener, (struct sockaddr *)&address, &size))
        fail("listen");
    watch(EPOLL_CTL_ADD, listener, EPOLLIN, &listener);
    watch(EPOLL_CTL_ADD, end, EPOLLIN, &end);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);

    for (;;) {
        struct epoll_event events[256];
        int count = epoll_wait(queue, events, 256, milliseconds_until_due());
        for (int i = 0; i < count; i++) {
            void *what = events[i].data.ptr;
            if (what == &end) {
                write_arrivals(argv[3]);
                return 0;
            }
            struct connection *it = what;
            if (what == &listener) accept_connections(listener);
            else if (it->unsent) {
                watch(EPOLL_CTL_MOD, it->fd, EPOLLIN, it);
                send_rest(it);
            } else receive(it);
        }
        send_what_is_due();
    }
}
