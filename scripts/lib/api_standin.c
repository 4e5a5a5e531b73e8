// A simulated App Store Server API for measurements: a thread for each connection, and answers that
// are signed when they are asked for. For scripts/bench.
//
//   api_standin HEADER KEY TRANSACTIONS
//
// HEADER has the encoded header of all signed strings, KEY the private key of its first certificate.
// The last 5 digits of an id count the transactions of a customer: 12 months of a subscription, then
// consumables, TRANSACTIONS in all. Any id is answered, in pages of 20. Prints its port.

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 20, MONTHS = 12, REQUEST_BYTES = 16384, ANSWER_BYTES = 1 << 20 };
static const long long IDS = 100000, DAY = 86400000, AS_OF = 1795140000000;

static char header[65536];
static EVP_PKEY *key;
static int transactions;

// The answer of one connection, and what signs it.
struct answer {
    char *text;
    size_t size;
};

static void fail(const char *what) {
    perror(what);
    exit(70);
}

static void add(struct answer *it, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int size = vsnprintf(it->text + it->size, ANSWER_BYTES - it->size, format, values);
    va_end(values);
    if (size < 0 || it->size + (size_t)size >= ANSWER_BYTES) {
        fprintf(stderr, "api_standin: an answer is too large\n");
        exit(70);
    }
    it->size += (size_t)size;
}

// Base64 for URLs, without padding.
static void encode(const unsigned char *bytes, int count, char *text) {
    int size = EVP_EncodeBlock((unsigned char *)text, bytes, count);
    while (size > 0 && text[size - 1] == '=') size--;
    text[size] = 0;
    for (char *c = text; *c; c++) *c = *c == '+' ? '-' : *c == '/' ? '_' : *c;
}

// Adds `payload` as a signed string in quotes.
static void add_signed(struct answer *it, const char *payload) {
    char body[4096], signature_text[96];
    encode((const unsigned char *)payload, (int)strlen(payload), body);
    add(it, "\"");
    size_t start = it->size;
    add(it, "%s.%s", header, body);
    unsigned char der[80], plain[64];
    size_t der_size = sizeof der;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (!context || EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) != 1
        || EVP_DigestSign(context, der, &der_size, (unsigned char *)it->text + start,
               it->size - start) != 1)
        fail("sign");
    EVP_MD_CTX_free(context);
    const unsigned char *from = der;
    ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &from, (long)der_size);
    if (!pair || BN_bn2binpad(ECDSA_SIG_get0_r(pair), plain, 32) != 32
        || BN_bn2binpad(ECDSA_SIG_get0_s(pair), plain + 32, 32) != 32)
        fail("signature");
    ECDSA_SIG_free(pair);
    encode(plain, sizeof plain, signature_text);
    add(it, ".%s\"", signature_text);
}

static const char COMMON[] = "\"bundleId\":\"com.example.acme\",\"environment\":\"Production\"";

static void add_transaction(struct answer *it, long long customer, int index) {
    long long id = customer * IDS + index, signed_at = (long long)time(NULL) * 1000;
    char payload[1024];
    if (index < MONTHS && index < transactions) {
        int last = transactions < MONTHS ? transactions : MONTHS;
        long long ends = AS_OF + 10 * DAY - (last - 1 - index) * 30 * DAY;
        snprintf(payload, sizeof payload,
            "{\"transactionId\":\"%lld\",\"originalTransactionId\":\"%lld\","
            "\"webOrderLineItemId\":\"%lld\",%s,\"productId\":\"pro.monthly\","
            "\"subscriptionGroupIdentifier\":\"20000001\",\"purchaseDate\":%lld,"
            "\"originalPurchaseDate\":%lld,\"expiresDate\":%lld,\"quantity\":1,"
            "\"type\":\"Auto-Renewable Subscription\",\"inAppOwnershipType\":\"PURCHASED\","
            "\"signedDate\":%lld,\"transactionReason\":\"RENEWAL\",\"storefront\":\"USA\","
            "\"storefrontId\":\"143441\",\"price\":9990,\"currency\":\"USD\"}",
            id, customer * IDS, id, COMMON, ends - 30 * DAY,
            AS_OF + 10 * DAY - last * 30 * DAY, ends, signed_at);
    } else {
        long long bought = AS_OF - index * 3600000LL;
        snprintf(payload, sizeof payload,
            "{\"transactionId\":\"%lld\",\"originalTransactionId\":\"%lld\",%s,"
            "\"productId\":\"coins\",\"purchaseDate\":%lld,\"originalPurchaseDate\":%lld,"
            "\"quantity\":1,\"type\":\"Consumable\",\"inAppOwnershipType\":\"PURCHASED\","
            "\"signedDate\":%lld,\"transactionReason\":\"PURCHASE\",\"storefront\":\"USA\","
            "\"storefrontId\":\"143441\",\"price\":990,\"currency\":\"USD\"}",
            id, id, COMMON, bought, bought, signed_at);
    }
    add_signed(it, payload);
}

static void add_history(struct answer *it, long long customer, int page) {
    int first = page * PAGE, end = first + PAGE < transactions ? first + PAGE : transactions;
    add(it, "{\"revision\":\"%d\",\"hasMore\":%s,%s,\"signedTransactions\":[", page + 1,
        end < transactions ? "true" : "false", COMMON);
    for (int i = first; i < end; i++) {
        if (i > first) add(it, ",");
        add_transaction(it, customer, i);
    }
    add(it, "]}");
}

static void add_subscriptions(struct answer *it, long long customer) {
    char renewal[1024];
    long long chain = customer * IDS;
    snprintf(renewal, sizeof renewal,
        "{\"originalTransactionId\":\"%lld\",\"autoRenewProductId\":\"pro.monthly\","
        "\"productId\":\"pro.monthly\",\"autoRenewStatus\":1,\"environment\":\"Production\","
        "\"signedDate\":%lld,\"renewalDate\":%lld}",
        chain, (long long)time(NULL) * 1000, AS_OF + 10 * DAY);
    add(it, "{%s,\"data\":[{\"subscriptionGroupIdentifier\":\"20000001\",\"lastTransactions\":[{"
            "\"originalTransactionId\":\"%lld\",\"status\":1,\"signedTransactionInfo\":", COMMON,
        chain);
    add_transaction(it, customer, (transactions < MONTHS ? transactions : MONTHS) - 1);
    add(it, ",\"signedRenewalInfo\":");
    add_signed(it, renewal);
    add(it, "}]}]}");
}

static void send_all(int fd, const char *bytes, size_t count) {
    while (count) {
        ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes += sent;
        count -= (size_t)sent;
    }
}

// The request's path is all that counts: nothing has a body.
static void reply(int fd, const char *request, struct answer *it) {
    long long id;
    int page = 0;
    it->size = 0;
    const char *status = "200 OK";
    if (sscanf(request, "GET /inApps/v2/history/%lld?revision=%d ", &id, &page) >= 1)
        add_history(it, id / IDS, page);
    else if (sscanf(request, "GET /inApps/v1/subscriptions/%lld ", &id) == 1)
        add_subscriptions(it, id / IDS);
    else {
        status = "404 Not Found";
        add(it, "{\"errorCode\":4040001,\"errorMessage\":\"Not measured.\"}");
    }
    char head[256];
    int size = snprintf(head, sizeof head,
        "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", status,
        it->size);
    send_all(fd, head, (size_t)size);
    send_all(fd, it->text, it->size);
}

static void *serve(void *argument) {
    int fd = (int)(long)argument, on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct answer answer = {malloc(ANSWER_BYTES), 0};
    char *request = malloc(REQUEST_BYTES);
    if (!answer.text || !request) fail("malloc");
    size_t unread = 0;
    for (;;) {
        ssize_t count = recv(fd, request + unread, REQUEST_BYTES - 1 - unread, 0);
        if (count <= 0) break;
        unread += (size_t)count;
        request[unread] = 0;
        if (!strstr(request, "\r\n\r\n")) continue;
        reply(fd, request, &answer);
        unread = 0;
    }
    close(fd);
    free(answer.text);
    free(request);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: api_standin HEADER KEY TRANSACTIONS\n");
        return 64;
    }
    FILE *file = fopen(argv[1], "r");
    if (!file || !fgets(header, sizeof header, file)) fail(argv[1]);
    fclose(file);
    file = fopen(argv[2], "r");
    if (!file || !(key = PEM_read_PrivateKey(file, NULL, NULL, NULL))) fail(argv[2]);
    fclose(file);
    transactions = atoi(argv[3]);

    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size)
        || listen(listener, 1024) || getsockname(listener, (struct sockaddr *)&address, &size))
        fail("listen");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        if (fd < 0) continue;
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve, (void *)(long)fd)) fail("pthread_create");
        pthread_detach(thread);
    }
}
