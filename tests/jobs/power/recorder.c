/* Writes down, in order, everything that a process does to the files of one folder.
 *
 * Loaded with LD_PRELOAD. TILESIGHT_RECORD_FOLDER names the folder, TILESIGHT_RECORD_LOG the file for the
 * records. A record is: the kind (1 byte), an inode, an offset, and the lengths of a path and of data
 * (8 bytes each, as the machine writes them), then the path and the data. The kinds:
 *   c a file was created   m a folder was made   u a file was removed   w bytes were written
 *   t the length was set   s a file was synced   d a folder was synced   l a file got one more name
 * Each call and its record happen under one lock, so that the records have the order of the calls. What is
 * not recorded here shows: the test compares what the records add up to with what is on disk at the end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#undef open
#undef open64
#undef pwrite64
#undef ftruncate64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static int records = -1;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_open)(const char *, int, ...);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_mkdir)(const char *, mode_t);
static int (*real_linkat)(int, const char *, int, const char *, int);

static void die(const char *what) {
    perror(what);
    abort();
}

__attribute__((constructor)) static void start(void) {
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite");
    real_open = dlsym(RTLD_NEXT, "open");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_mkdir = dlsym(RTLD_NEXT, "mkdir");
    real_linkat = dlsym(RTLD_NEXT, "linkat");
    const char *log = getenv("TILESIGHT_RECORD_LOG");
    folder = getenv("TILESIGHT_RECORD_FOLDER");
    if (!log || !folder) {
        folder = NULL;
        return;
    }
    records = real_open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (records < 0) die("the log of the recorder");
}

static int ours(const char *path) {
    size_t length;
    if (!folder || !path) return 0;
    length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The path of an open file, if it is one of ours. */
static int our_file(int fd, char *path, size_t size) {
    char link[64];
    ssize_t length;
    if (!folder || fd == records) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return ours(path);
}

static void put(const void *bytes, size_t length) {
    const char *at = bytes;
    while (length > 0) {
        ssize_t written = real_write(records, at, length);
        if (written <= 0) die("the log of the recorder");
        at += written;
        length -= (size_t)written;
    }
}

static void record(char kind, uint64_t inode, uint64_t offset, const char *path, const void *data, size_t length) {
    uint64_t numbers[4] = {inode, offset, strlen(path), length};
    put(&kind, 1);
    put(numbers, sizeof numbers);
    put(path, strlen(path));
    if (data) put(data, length);
}

static struct stat facts(int fd) {
    struct stat facts;
    if (fstat(fd, &facts) != 0) die("the inode of a file");
    return facts;
}

static int opened(const char *path, int flags, mode_t mode) {
    int fd, is_new;
    if (!ours(path) || !(flags & (O_CREAT | O_TRUNC))) return real_open(path, flags, mode);
    pthread_mutex_lock(&lock);
    is_new = access(path, F_OK) != 0;
    fd = real_open(path, flags, mode);
    if (fd >= 0 && is_new) record('c', facts(fd).st_ino, 0, path, NULL, 0);
    if (fd >= 0 && !is_new && (flags & O_TRUNC)) record('t', facts(fd).st_ino, 0, path, NULL, 0);
    pthread_mutex_unlock(&lock);
    return fd;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    mode_t mode;
    va_start(rest, flags);
    mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    mode_t mode;
    va_start(rest, flags);
    mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags | O_LARGEFILE, mode);
}

ssize_t write(int fd, const void *data, size_t length) {
    char path[4096];
    ssize_t written;
    off_t at;
    if (!our_file(fd, path, sizeof path)) return real_write(fd, data, length);
    pthread_mutex_lock(&lock);
    at = (fcntl(fd, F_GETFL) & O_APPEND) ? facts(fd).st_size : lseek(fd, 0, SEEK_CUR);
    written = real_write(fd, data, length);
    if (written > 0) record('w', facts(fd).st_ino, (uint64_t)at, path, data, (size_t)written);
    pthread_mutex_unlock(&lock);
    return written;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t at) {
    char path[4096];
    ssize_t written;
    if (!our_file(fd, path, sizeof path)) return real_pwrite(fd, data, length, at);
    pthread_mutex_lock(&lock);
    written = real_pwrite(fd, data, length, at);
    if (written > 0) record('w', facts(fd).st_ino, (uint64_t)at, path, data, (size_t)written);
    pthread_mutex_unlock(&lock);
    return written;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at) { return pwrite(fd, data, length, (off_t)at); }

int ftruncate(int fd, off_t length) {
    char path[4096];
    int result;
    if (!our_file(fd, path, sizeof path)) return real_ftruncate(fd, length);
    pthread_mutex_lock(&lock);
    result = real_ftruncate(fd, length);
    if (result == 0) record('t', facts(fd).st_ino, (uint64_t)length, path, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate64(int fd, off64_t length) { return ftruncate(fd, (off_t)length); }

static int synced(int fd, int (*real)(int)) {
    char path[4096];
    int result;
    struct stat what;
    if (!our_file(fd, path, sizeof path)) return real(fd);
    pthread_mutex_lock(&lock);
    result = real(fd);
    what = facts(fd);
    if (result == 0) record(S_ISDIR(what.st_mode) ? 'd' : 's', what.st_ino, 0, path, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int fd) { return synced(fd, real_fsync); }

int fdatasync(int fd) { return synced(fd, real_fdatasync); }

int unlink(const char *path) {
    int result;
    if (!ours(path)) return real_unlink(path);
    pthread_mutex_lock(&lock);
    result = real_unlink(path);
    if (result == 0) record('u', 0, 0, path, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int mkdir(const char *path, mode_t mode) {
    int result;
    if (!ours(path)) return real_mkdir(path, mode);
    pthread_mutex_lock(&lock);
    result = real_mkdir(path, mode);
    if (result == 0) record('m', 0, 0, path, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

static int linked(int from, const char *old, int to, const char *path, int flags) {
    struct stat what;
    int result;
    if (!ours(path)) return real_linkat(from, old, to, path, flags);
    pthread_mutex_lock(&lock);
    result = real_linkat(from, old, to, path, flags);
    if (result == 0) {
        if (stat(path, &what) != 0) die("the inode of a file");
        record('l', what.st_ino, 0, path, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int linkat(int from, const char *old, int to, const char *path, int flags) { return linked(from, old, to, path, flags); }

int link(const char *old, const char *path) { return linked(AT_FDCWD, old, AT_FDCWD, path, 0); }
