/* Tilesight for C: scores hands of mahjong, and reads them from photos.
 *
 * Every function that answers returns a handle. `tilesight_status` says whether it is an answer or
 * a problem, `tilesight_text` has its text, which is JSON but for tables, and `tilesight_release`
 * releases it. A handle that was released is recognised: a call with it returns a problem, its
 * status is 0 and its text NULL. Bytes and texts that are passed must not be changed or freed
 * before the function returns; afterwards they are not needed. Requests, answers and problems are
 * those of the HTTP service: docs/contract.md.
 *
 * Made from bindings/c/src/exports by `make c-header`. */

#ifndef TILESIGHT_H
#define TILESIGHT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/**
 * Version of this interface. A new one means that a program has to be compiled again.
 */
#define TILESIGHT_ABI 1

/**
 * Handle of an engine, a reader, an answer or a problem. 0 is never one, and no number is given
 * twice while the process runs. Threads may share handles.
 */
typedef uint64_t TilesightHandle;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the version of the interface that the library has: `TILESIGHT_ABI` of its header.
 */
uint32_t tilesight_abi(void);

/**
 * Returns the version of the library, such as "0.1.0". The text is never released.
 */
const char *tilesight_version(void);

/**
 * Returns 200 for an engine, a reader or an answer, the status of a problem (400 to 599), or 0 if
 * the handle was released or never given.
 */
int32_t tilesight_status(TilesightHandle handle);

/**
 * Returns the text of an answer or a problem: UTF-8 with a zero at its end. Engines and readers
 * have an empty one. The text stays in place until the handle is released. Returns NULL if the
 * handle was released or never given.
 */
const char *tilesight_text(TilesightHandle handle);

/**
 * Returns the number of bytes of `tilesight_text`, without the zero; 0 if the handle was released
 * or never given.
 */
uint64_t tilesight_length(TilesightHandle handle);

/**
 * Releases a handle, with the text that it has. Calls that use it in other threads finish.
 * Returns false if the handle was released before or never given; nothing happens then.
 */
bool tilesight_release(TilesightHandle handle);

/**
 * Returns the number of handles that are not released, for tests that nothing is left.
 */
uint64_t tilesight_handles(void);

/**
 * Returns an engine with the shipped rule sets and those of `profiles`: a JSON list with the texts
 * of profile files, or 0 bytes. Or a problem.
 *
 * # Safety
 * `profiles` points to `profiles_length` bytes.
 */
TilesightHandle tilesight_engine(const uint8_t *profiles, uint64_t profiles_length);

/**
 * Scores a hand, as `POST /v1/score` does: a score, or, with `rulesets`, a list of scores.
 *
 * # Safety
 * `request` points to `request_length` bytes, and `lang` is NULL for English or a text.
 */
TilesightHandle tilesight_score(TilesightHandle engine,
                                const uint8_t *request,
                                uint64_t request_length,
                                const char *lang);

/**
 * Returns a hand and its win context as objects and as a line of notation (`hand`, `context`,
 * `notation`), and the values that the context may have for such a win (`possible`). The request
 * is that of `tilesight_score`; the tiles need not be a whole hand.
 *
 * # Safety
 * `request` points to `request_length` bytes, and `lang` is NULL for English or a text.
 */
TilesightHandle tilesight_hand(TilesightHandle engine,
                               const uint8_t *request,
                               uint64_t request_length,
                               const char *lang);

/**
 * Returns the rule sets, their options and lines, as `GET /v1/rulesets` does.
 *
 * # Safety
 * `lang` is NULL for English or a text.
 */
TilesightHandle tilesight_rulesets(TilesightHandle engine, const char *lang);

/**
 * Begins an evening: returns its record, which the caller keeps. The request is that of
 * `POST /v1/games`.
 *
 * # Safety
 * `request` points to `request_length` bytes, and `lang` is NULL for English or a text.
 */
TilesightHandle tilesight_game_begin(TilesightHandle engine,
                                     const uint8_t *request,
                                     uint64_t request_length,
                                     const char *lang);

/**
 * Returns the record of an evening after a change, at a time in milliseconds since 1970. The
 * change is that of `POST /v1/games/{id}/changes`.
 *
 * # Safety
 * `record` points to `record_length` bytes, `change` to `change_length`, and `lang` is NULL for
 * English or a text.
 */
TilesightHandle tilesight_game_change(TilesightHandle engine,
                                      const uint8_t *record,
                                      uint64_t record_length,
                                      const uint8_t *change,
                                      uint64_t change_length,
                                      uint64_t at,
                                      const char *lang);

/**
 * Returns the state of an evening: deals, payments, totals and standings.
 *
 * # Safety
 * `record` points to `record_length` bytes, and `lang` is NULL for English or a text.
 */
TilesightHandle tilesight_game_view(TilesightHandle engine,
                                    const uint8_t *record,
                                    uint64_t record_length,
                                    const char *lang);

/**
 * Returns the score sheet of an evening as comma-separated values.
 *
 * # Safety
 * `record` points to `record_length` bytes, and `lang` is NULL for English or a text.
 */
TilesightHandle tilesight_game_table(TilesightHandle engine,
                                     const uint8_t *record,
                                     uint64_t record_length,
                                     const char *lang);

/**
 * Returns a reader of photos, or a problem. `options` is JSON: `models` is the folder of the
 * networks, `models_sha256` the SHA-256 of its manifest if they are not those of this version,
 * `library` ONNX Runtime's library, `library_sha256` its SHA-256 if it is not the one that
 * `make setup` brings, and `sets` a list with the texts of the files of own sets. Problems are in
 * English.
 *
 * # Safety
 * `options` points to `options_length` bytes.
 */
TilesightHandle tilesight_reader(const uint8_t *options, uint64_t options_length);

/**
 * Reads a photo, as `POST /v1/hands` does. `options` is JSON, or 0 bytes: `context`, `rulesets`,
 * `focus`, `region`, `set` and `detail` as over HTTP; `sets` has the texts of the files of own
 * sets; `pixels` is `[width, height]` if the photo is RGBA pixels; `photos` has the sizes of
 * several photos of one hand, which follow one after the other.
 *
 * # Safety
 * `options` points to `options_length` bytes, `photo` to `photo_length`, and `lang` is NULL for
 * English or a text.
 */
TilesightHandle tilesight_read(TilesightHandle engine,
                               TilesightHandle reader,
                               const uint8_t *options,
                               uint64_t options_length,
                               const uint8_t *photo,
                               uint64_t photo_length,
                               const char *lang);

/**
 * Applies answers to the doubts of a reading, as `POST /v1/readings/answers` does.
 *
 * # Safety
 * `request` points to `request_length` bytes, and `lang` is NULL for English or a text.
 */
TilesightHandle tilesight_answers(TilesightHandle engine,
                                  const uint8_t *request,
                                  uint64_t request_length,
                                  const char *lang);

/**
 * Finds the rows of a sheet, a photo of all tiles of a set, and proposes names: a list of rows of
 * tiles with `polygon`, `name`, `sure` and `seen`. `options` is JSON, or 0 bytes: `pixels` as in
 * `tilesight_read`.
 *
 * # Safety
 * `options` points to `options_length` bytes, `photo` to `photo_length`, and `lang` is NULL for
 * English or a text.
 */
TilesightHandle tilesight_sheet(TilesightHandle reader,
                                const uint8_t *options,
                                uint64_t options_length,
                                const uint8_t *photo,
                                uint64_t photo_length,
                                const char *lang);

/**
 * Learns an own set from a sheet, and returns the text of its file. `options` is JSON: `name` of
 * the set, `names` of its tiles with a line for each row (the proposed ones if it is not given),
 * and `pixels` as in `tilesight_read`.
 *
 * # Safety
 * `options` points to `options_length` bytes, `photo` to `photo_length`, and `lang` is NULL for
 * English or a text.
 */
TilesightHandle tilesight_learn(TilesightHandle reader,
                                const uint8_t *options,
                                uint64_t options_length,
                                const uint8_t *photo,
                                uint64_t photo_length,
                                const char *lang);

/**
 * Checks the file of an own set, and returns what it knows: `name`, `id`, `faces` and `missing`.
 *
 * # Safety
 * `file` points to `file_length` bytes, and `lang` is NULL for English or a text.
 */
TilesightHandle tilesight_set(const uint8_t *file, uint64_t file_length, const char *lang);

/**
 * Merges own sets that were learned of the same tiles, and returns the text of the merged file.
 * `options` is JSON: `files` has the sizes of the files, which follow one after the other, and
 * `name` names the merged set.
 *
 * # Safety
 * `options` points to `options_length` bytes, `files` to `files_length`, and `lang` is NULL for
 * English or a text.
 */
TilesightHandle tilesight_merge(TilesightHandle reader,
                                const uint8_t *options,
                                uint64_t options_length,
                                const uint8_t *files,
                                uint64_t files_length,
                                const char *lang);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TILESIGHT_H */
