/* Scores the requests on standard input, a line each, in four threads, and prints the status and the
 * answer of each on a line. The first argument, if there is one, is a file with the rule sets to add. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilesight.h>

#define THREADS 4

static TilesightHandle engine;
static char **lines;
static size_t count;
static TilesightHandle *answers;

/* Scores every line whose number has a remainder, and keeps the answers. */
static void *work(void *argument) {
    for (size_t at = (size_t)(uintptr_t)argument; at < count; at += THREADS) {
        answers[at] = tilesight_score(engine, (const uint8_t *)lines[at], strlen(lines[at]), NULL);
    }
    return NULL;
}

/* Returns an engine with the rule sets of a file, or with the shipped ones alone. */
static TilesightHandle begin(const char *path) {
    char *text = NULL;
    size_t room = 0;
    FILE *file = path == NULL ? NULL : fopen(path, "rb");
    if (file == NULL) return tilesight_engine(NULL, 0);
    ssize_t length = getdelim(&text, &room, 0, file);
    fclose(file);
    TilesightHandle made = tilesight_engine((const uint8_t *)text, length > 0 ? (uint64_t)length : 0);
    free(text);
    return made;
}

int main(int argc, char **argv) {
    size_t room = 0, size = 0;
    char *line = NULL;
    while (getline(&line, &size, stdin) > 0) {
        if (count == room) {
            room = room == 0 ? 1024 : room * 2;
            lines = realloc(lines, room * sizeof *lines);
        }
        line[strcspn(line, "\n")] = 0;
        lines[count++] = line;
        line = NULL;
        size = 0;
    }
    free(line);
    answers = calloc(count + 1, sizeof *answers);
    engine = begin(argc > 1 ? argv[1] : NULL);

    pthread_t threads[THREADS];
    for (size_t at = 0; at < THREADS; at++) pthread_create(&threads[at], NULL, work, (void *)(uintptr_t)at);
    for (size_t at = 0; at < THREADS; at++) pthread_join(threads[at], NULL);

    for (size_t at = 0; at < count; at++) {
        printf("%d %s\n", tilesight_status(answers[at]), tilesight_text(answers[at]));
        tilesight_release(answers[at]);
        free(lines[at]);
    }
    free(lines);
    free(answers);
    tilesight_release(engine);
    return tilesight_handles() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
