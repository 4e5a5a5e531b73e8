// The minimal cost of requests: a bare libcurl multi loop that posts one body repeatedly, keeps its
// connections, and discards the answers. For scripts/bench.
//
//   floor URL BODY COUNT IN_FLIGHT
//
// The job's cost beyond this is its own work. Ends with 1 if a request failed.

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

static size_t throw_away(char *bytes, size_t size, size_t count, void *none) {
    (void)bytes;
    (void)none;
    return size * count;
}

static char *contents(const char *path, long *size) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(66);
    }
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)*size);
    if (!bytes || fread(bytes, 1, (size_t)*size, file) != (size_t)*size) exit(66);
    fclose(file);
    return bytes;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: floor URL BODY COUNT IN_FLIGHT\n");
        return 64;
    }
    long size, count = atol(argv[3]), in_flight = atol(argv[4]);
    char *body = contents(argv[2], &size);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, in_flight);
    // Without it libcurl waits for a 100 Continue before it sends a large body.
    struct curl_slist *lines = curl_slist_append(NULL, "Content-Type: application/json");
    lines = curl_slist_append(lines, "Expect:");

    long started = 0, ended = 0, failed = 0;
    for (; started < in_flight && started < count; started++) {
        CURL *easy = curl_easy_init();
        curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, size);
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, lines);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, throw_away);
        // The largest buffer of libcurl, so that an answer of Apple's size needs no reallocation.
        curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 131072L);
        curl_multi_add_handle(multi, easy);
    }
    while (ended < count) {
        int running, queued;
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &queued))) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *easy = message->easy_handle;
            failed += message->data.result != CURLE_OK;
            ended += 1;
            curl_multi_remove_handle(multi, easy);
            if (started < count) {
                curl_multi_add_handle(multi, easy);
                started += 1;
            } else {
                curl_easy_cleanup(easy);
            }
        }
        if (ended < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    curl_multi_cleanup(multi);
    curl_slist_free_all(lines);
    free(body);
    if (failed) fprintf(stderr, "floor: %ld of %ld requests failed\n", failed, count);
    return failed != 0;
}
