/* Scores a hand, and reads one from a photo.
 *
 *     score HAND                                  prints the score of a hand as JSON
 *     score PHOTO MODELS ONNXRUNTIME              prints what a photo shows, as JSON
 *
 *     cc score.c $(pkg-config --cflags --libs tilesight) -o score
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilesight.h>

/* Prints an answer or a problem, and releases it. Returns the program's exit status. */
static int print(TilesightHandle answer) {
    int fine = tilesight_status(answer) == 200;
    fprintf(fine ? stdout : stderr, "%s\n", tilesight_text(answer));
    tilesight_release(answer);
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int score(TilesightHandle engine, const char *hand) {
    char request[1024];
    int length = snprintf(request, sizeof request, "{\"hand\": \"%s\", \"context\": {\"seat\": \"E\"}}", hand);
    if (length < 0 || (size_t)length >= sizeof request) {
        fprintf(stderr, "score: the hand is too long\n");
        return EXIT_FAILURE;
    }
    return print(tilesight_score(engine, (const uint8_t *)request, (uint64_t)length, "en"));
}

static int read_photo(TilesightHandle engine, const char *path, const char *models, const char *library) {
    char options[4096];
    int length = snprintf(options, sizeof options, "{\"models\": \"%s\", \"library\": \"%s\"}", models, library);
    if (length < 0 || (size_t)length >= sizeof options) {
        fprintf(stderr, "score: the paths are too long\n");
        return EXIT_FAILURE;
    }
    TilesightHandle reader = tilesight_reader((const uint8_t *)options, (uint64_t)length);
    if (tilesight_status(reader) != 200) return print(reader);

    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        tilesight_release(reader);
        return EXIT_FAILURE;
    }
    size_t limit = 20000001; /* one byte more than is accepted, so that a larger file is refused */
    uint8_t *photo = malloc(limit);
    size_t size = photo == NULL ? 0 : fread(photo, 1, limit, file);
    fclose(file);
    const char *compact = "{\"detail\": \"compact\"}";
    TilesightHandle reading =
        tilesight_read(engine, reader, (const uint8_t *)compact, strlen(compact), photo, size, "en");
    free(photo);
    tilesight_release(reader);
    return print(reading);
}

int main(int arguments, char **argument) {
    if (arguments != 2 && arguments != 4) {
        fprintf(stderr, "usage: score HAND, or score PHOTO MODELS ONNXRUNTIME\n");
        return EXIT_FAILURE;
    }
    if (tilesight_abi() != TILESIGHT_ABI) {
        fprintf(stderr, "score: compiled for another version of libtilesight\n");
        return EXIT_FAILURE;
    }
    TilesightHandle engine = tilesight_engine(NULL, 0);
    int status = arguments == 2 ? score(engine, argument[1])
                                : read_photo(engine, argument[1], argument[2], argument[3]);
    tilesight_release(engine);
    return status;
}
