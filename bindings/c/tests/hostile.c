/* Everything that a caller can do wrong: each call gives a problem, and none crashes.
 *
 *     hostile MODELS ONNXRUNTIME PHOTO SHEET
 *
 * Compiled with the sanitizers for addresses and undefined behaviour, which also see the library's
 * memory. Prints each failed check with its line. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilesight.h>

#define THREADS 8

static const char *HAND = "{\"hand\": \"[EEE,2]123m456p789s5s5s\"}";
static int failed;

#define CHECK(condition)                                                 \
    do {                                                                 \
        if (!(condition)) {                                              \
            fprintf(stderr, "hostile.c:%d: %s\n", __LINE__, #condition); \
            failed = 1;                                                  \
        }                                                                \
    } while (0)

/* Checks the status of an answer and a part of its text, and releases it. */
#define ANSWERS(status, part, answer) answers(__LINE__, status, part, answer)

static void answers(int line, int status, const char *part, TilesightHandle answer) {
    const char *text = tilesight_text(answer);
    if (text == NULL || tilesight_status(answer) != status || strstr(text, part) == NULL || strlen(text) != tilesight_length(answer)) {
        fprintf(stderr, "hostile.c:%d: %d %s\n", line, tilesight_status(answer), text);
        failed = 1;
    }
    CHECK(tilesight_release(answer));
    CHECK(!tilesight_release(answer));
    CHECK(tilesight_text(answer) == NULL && tilesight_status(answer) == 0 && tilesight_length(answer) == 0);
}

static const uint8_t *bytes(const char *text) { return (const uint8_t *)text; }

static TilesightHandle score(TilesightHandle engine, const char *request) {
    return tilesight_score(engine, bytes(request), strlen(request), NULL);
}

static void test_handles(TilesightHandle engine) {
    TilesightHandle gone = tilesight_engine(NULL, 0);
    ANSWERS(200, "\"total\":", score(gone, HAND));
    CHECK(tilesight_release(gone));
    CHECK(!tilesight_release(gone));
    TilesightHandle answer = score(engine, HAND);
    TilesightHandle wrong[] = {0, gone, answer, UINT64_MAX, UINT64_MAX / 2, 0xdeadbeef};
    for (size_t at = 0; at < sizeof wrong / sizeof *wrong; at++) {
        ANSWERS(404, "urn:tilesight:problem:not-found", score(wrong[at], HAND));
        ANSWERS(404, "\"field\":\"engine\"", tilesight_rulesets(wrong[at], NULL));
        ANSWERS(404, "\"field\":\"reader\"", tilesight_sheet(wrong[at], NULL, 0, bytes("x"), 1, NULL));
        ANSWERS(404, "\"field\":\"reader\"", tilesight_read(engine, wrong[at], NULL, 0, bytes("x"), 1, NULL));
    }
    ANSWERS(404, "is that of an answer", score(answer, HAND));
    ANSWERS(404, "is that of an engine", tilesight_sheet(engine, NULL, 0, NULL, 0, NULL));
    tilesight_release(answer);
}

static void test_inputs(TilesightHandle engine) {
    const char *malformed = "urn:tilesight:problem:malformed-request";
    ANSWERS(400, malformed, tilesight_score(engine, NULL, 0, NULL));
    ANSWERS(400, "the pointer is null", tilesight_score(engine, NULL, 1, NULL));
    ANSWERS(413, "above the limit", tilesight_score(engine, bytes(HAND), UINT64_MAX, NULL));
    ANSWERS(413, "above the limit", tilesight_score(engine, bytes(HAND), (uint64_t)-1 / 2, NULL));
    ANSWERS(413, "above the limit", tilesight_engine(bytes("[]"), (uint64_t)1 << 40));
    ANSWERS(413, "above the limit", tilesight_set(bytes("{}"), UINT64_MAX, NULL));
    ANSWERS(400, malformed, score(engine, "\xff\xfe\xc0\x80"));
    ANSWERS(400, malformed, score(engine, "{\"hand\": \"\xc3\x28\"}"));
    ANSWERS(400, malformed, score(engine, "[1, 2"));
    ANSWERS(422, "urn:tilesight:problem:unreadable-notation", score(engine, "{\"hand\": \"11x\"}"));
    ANSWERS(400, "\"field\":\"lang\"", tilesight_score(engine, bytes(HAND), strlen(HAND), "tlh"));
    ANSWERS(400, "\"field\":\"lang\"", tilesight_score(engine, bytes(HAND), strlen(HAND), "\xff\xfe"));
    ANSWERS(400, "\"field\":\"lang\"", tilesight_score(engine, bytes(HAND), strlen(HAND), "a text that is far too long for a language"));
    ANSWERS(200, "Gemischte ", tilesight_score(engine, bytes(HAND), strlen(HAND), "de"));

    size_t size = 1 << 22;
    char *huge = malloc(size + 1);
    memset(huge, '[', size);
    huge[size] = 0;
    ANSWERS(413, "urn:tilesight:problem:too-large", score(engine, huge));
    ANSWERS(400, malformed, tilesight_engine(bytes(huge), size));
    ANSWERS(400, malformed, tilesight_game_view(engine, bytes(huge), size, NULL));
    ANSWERS(400, malformed, tilesight_set(bytes(huge), size, NULL));
    free(huge);
    const char *club = "[\"id = \\\"club\\\"\\nextends = \\\"mcr-wmo\\\"\\n[title]\\nen = \\\"Club\\\"\\n\"]";
    TilesightHandle own = tilesight_engine(bytes(club), strlen(club));
    ANSWERS(200, "\"club\"", tilesight_rulesets(own, NULL));
    tilesight_release(own);
    ANSWERS(400, "profiles[0]", tilesight_engine(bytes("[\"id = 3\"]"), 10));
}

static void test_evenings(TilesightHandle engine) {
    const char *players = "{\"players\": [\"Ada\", \"Bo\", \"Cy\", \"Di\"], \"ruleset\": \"mcr-wmo\"}";
    const char *change = "{\"action\": {\"kind\": \"add\", \"play\": {\"kind\": \"draw\"}}, \"by\": \"Ada\"}";
    TilesightHandle begun = tilesight_game_begin(engine, bytes(players), strlen(players), NULL);
    TilesightHandle changed = tilesight_game_change(
        engine, bytes(tilesight_text(begun)), tilesight_length(begun), bytes(change), strlen(change), 1000, NULL);
    const uint8_t *record = bytes(tilesight_text(changed));
    ANSWERS(200, "\"rows\":[{", tilesight_game_view(engine, record, tilesight_length(changed), NULL));
    ANSWERS(200, "Ada", tilesight_game_table(engine, record, tilesight_length(changed), NULL));
    ANSWERS(400, "urn:tilesight", tilesight_game_change(engine, record, tilesight_length(changed) - 1, bytes(change), strlen(change), 1, NULL));
    ANSWERS(400, "urn:tilesight", tilesight_game_change(engine, record, tilesight_length(changed), NULL, 0, 1, NULL));
    tilesight_release(begun);
    tilesight_release(changed);
}

/* A file in memory. */
struct file {
    uint8_t *data;
    size_t size;
};

static struct file contents(const char *path) {
    struct file file = {malloc(20000000), 0};
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    file.size = fread(file.data, 1, 20000000, stream);
    fclose(stream);
    return file;
}

static TilesightHandle reader(const char *models, const char *library) {
    char options[4096];
    snprintf(options, sizeof options, "{\"models\": \"%s\", \"library\": \"%s\"}", models, library);
    return tilesight_reader(bytes(options), strlen(options));
}

static void test_photos(TilesightHandle engine, TilesightHandle networks, struct file photo, struct file sheet) {
    const char *options = "{\"detail\": \"compact\", \"context\": {\"seat\": \"W\", \"prevalent\": \"S\"}}";
    TilesightHandle reading = tilesight_read(engine, networks, bytes(options), strlen(options), photo.data, photo.size, NULL);
    CHECK(strstr(tilesight_text(reading), "\"score\":{") != NULL);
    ANSWERS(200, "1123456789m222s1m", reading);
    ANSWERS(400, "urn:tilesight:problem", tilesight_read(engine, networks, NULL, 0, photo.data, 5000, NULL));
    ANSWERS(415, "urn:tilesight:problem", tilesight_read(engine, networks, NULL, 0, bytes("GIF89a, no photo at all"), 23, NULL));
    ANSWERS(400, "urn:tilesight:problem", tilesight_read(engine, networks, bytes("{\"detail\": 3}"), 13, photo.data, photo.size, NULL));
    const char *pixels = "{\"pixels\": [4000000000, 4000000000]}";
    TilesightHandle refused = tilesight_read(engine, networks, bytes(pixels), strlen(pixels), photo.data, photo.size, NULL);
    CHECK(tilesight_status(refused) >= 400);
    tilesight_release(refused);
    const char *cut = "{\"photos\": [18446744073709551615, 5]}";
    ANSWERS(400, "cut short", tilesight_read(engine, networks, bytes(cut), strlen(cut), photo.data, photo.size, NULL));

    const char *name = "{\"name\": \"jade\"}";
    TilesightHandle learned = tilesight_learn(networks, bytes(name), strlen(name), sheet.data, sheet.size, NULL);
    CHECK(tilesight_status(learned) == 200);
    const uint8_t *set = bytes(tilesight_text(learned));
    uint64_t size = tilesight_length(learned);
    ANSWERS(200, "\"faces\":[", tilesight_set(set, size, NULL));
    ANSWERS(400, "urn:tilesight:problem", tilesight_set(set, size / 2, NULL));
    ANSWERS(200, "\"seen\":", tilesight_sheet(networks, NULL, 0, sheet.data, sheet.size, NULL));
    char merge[100];
    snprintf(merge, sizeof merge, "{\"files\": [%llu], \"name\": \"other\"}", (unsigned long long)size);
    ANSWERS(200, "other", tilesight_merge(networks, bytes(merge), strlen(merge), set, size, NULL));
    ANSWERS(400, "cut short", tilesight_merge(networks, bytes(merge), strlen(merge), set, size - 1, NULL));
    tilesight_release(learned);
}

/* What threads share. */
struct shared {
    TilesightHandle engine, released;
    char *expected;
};

static void *work(void *argument) {
    struct shared *shared = argument;
    for (int at = 0; at < 200; at++) {
        TilesightHandle answer = score(shared->engine, HAND);
        CHECK(strcmp(tilesight_text(answer), shared->expected) == 0);
        CHECK(tilesight_release(answer));
        /* One of the threads releases it; the others get a problem from then on. */
        TilesightHandle either = score(shared->released, HAND);
        int status = tilesight_status(either);
        CHECK(status == 200 || status == 404);
        tilesight_release(either);
        if (at == 100) tilesight_release(shared->released);
    }
    return NULL;
}

static void test_threads(TilesightHandle engine) {
    TilesightHandle answer = score(engine, HAND);
    struct shared shared = {engine, tilesight_engine(NULL, 0), strdup(tilesight_text(answer))};
    tilesight_release(answer);
    pthread_t threads[THREADS];
    for (int at = 0; at < THREADS; at++) pthread_create(&threads[at], NULL, work, &shared);
    for (int at = 0; at < THREADS; at++) pthread_join(threads[at], NULL);
    CHECK(!tilesight_release(shared.released));
    free(shared.expected);
}

int main(int arguments, char **argument) {
    if (arguments != 5) return EXIT_FAILURE;
    CHECK(tilesight_abi() == TILESIGHT_ABI);
    CHECK(strchr(tilesight_version(), '.') != NULL);
    TilesightHandle engine = tilesight_engine(NULL, 0);
    test_handles(engine);
    test_inputs(engine);
    test_evenings(engine);
    test_threads(engine);
    CHECK(tilesight_handles() == 1);

    ANSWERS(400, "options", tilesight_reader(NULL, 0));
    ANSWERS(500, "urn:tilesight:problem:internal", reader("/none", argument[2]));
    ANSWERS(500, "urn:tilesight:problem:internal", reader(argument[1], argument[3]));
    TilesightHandle networks = reader(argument[1], argument[2]);
    struct file photo = contents(argument[3]), sheet = contents(argument[4]);
    test_photos(engine, networks, photo, sheet);
    tilesight_release(networks);
    tilesight_release(engine);
    CHECK(tilesight_handles() == 0);
    free(photo.data);
    free(sheet.data);
    printf("%s\n", failed ? "failed" : "every call was answered");
    return failed;
}
