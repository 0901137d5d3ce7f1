/* Stands between a program and the C library: writes down what the program does to the files of one
 * folder, and makes it fail on demand. Loaded by LD_PRELOAD; see shim.py, which says what the
 * environment variables and the records are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct head {
    uint8_t op;
    uint8_t unused[3];
    uint32_t path, data;
    uint32_t unused_too;
    int64_t at;
};

static int watched(const char *path) {
    const char *root = getenv("TORTURE_ROOT");
    size_t length = root ? strlen(root) : 0;
    return length && !strncmp(path, root, length) && (path[length] == '/' || !path[length]);
}

static int named(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
    return length > 0 && watched(path);
}

static const char *whole(const char *path, char *into) {
    if (path[0] == '/') return path;
    if (!getcwd(into, PATH_MAX / 2)) return path;
    strncat(strcat(into, "/"), path, PATH_MAX / 2 - 2);
    return into;
}

static void record(char op, const char *path, int64_t at, const void *data, size_t length) {
    const char *log = getenv("TORTURE_LOG");
    if (!log) return;
    int before = errno;
    struct head head = {.op = op, .path = strlen(path), .data = length, .at = at};
    char *all = malloc(sizeof head + head.path + length);
    memcpy(all, &head, sizeof head);
    memcpy(all + sizeof head, path, head.path);
    if (length) memcpy(all + sizeof head + head.path, data, length);
    int fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (syscall(SYS_write, fd, all, sizeof head + head.path + length) < 0) abort();
    syscall(SYS_close, fd);
    free(all);
    errno = before;
}

/* Whether this kind of call is to fail now; errno says how. */
static int fails(char op, const char *path) {
    const char *control = getenv("TORTURE_FAULT");
    if (!control || !watched(path)) return 0;
    char said[64] = "", *rest;
    int fd = syscall(SYS_openat, AT_FDCWD, control, O_RDONLY);
    if (fd < 0) return 0;
    ssize_t length = syscall(SYS_read, fd, said, sizeof said - 1);
    syscall(SYS_close, fd);
    if (length <= 0 || !(rest = strchr(said, ' '))) return 0;
    *rest = 0;
    if (!strchr(said, op)) return 0;
    errno = atoi(rest + 1);
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPENS(name, FOLDER_PARAMETER, FOLDER_ARGUMENT)                                     \
    int name(FOLDER_PARAMETER const char *path, int flags, ...) {                          \
        char full[PATH_MAX];                                                               \
        va_list more;                                                                      \
        va_start(more, flags);                                                             \
        int mode = flags & O_CREAT ? va_arg(more, int) : 0;                                \
        va_end(more);                                                                      \
        const char *where = whole(path, full);                                             \
        int creates = (flags & O_CREAT) && watched(where) && access(where, F_OK);          \
        if (creates && fails('c', where)) return -1;                                       \
        int fd = REAL(name)(FOLDER_ARGUMENT path, flags, mode);                            \
        if (fd >= 0 && creates) record('c', where, 0, "", 0);                              \
        if (fd >= 0 && (flags & O_TRUNC) && watched(where)) record('t', where, 0, "", 0);  \
        return fd;                                                                         \
    }

OPENS(open, , )
OPENS(open64, , )
#define A_FOLDER int folder,
#define THE_FOLDER folder,
OPENS(openat, A_FOLDER, THE_FOLDER)
OPENS(openat64, A_FOLDER, THE_FOLDER)

#define WRITES(name, type)                                                \
    ssize_t name(int fd, const void *data, size_t length, type at) {      \
        char path[PATH_MAX];                                              \
        int here = named(fd, path);                                       \
        if (here && fails('w', path)) return -1;                          \
        ssize_t done = REAL(name)(fd, data, length, at);                  \
        if (here && done > 0) record('w', path, at, data, done);          \
        return done;                                                      \
    }

WRITES(pwrite, off_t)
WRITES(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t length) {
    char path[PATH_MAX];
    int here = named(fd, path);
    if (here && fails('w', path)) return -1;
    ssize_t done = REAL(write)(fd, data, length);
    if (here && done > 0) record('w', path, lseek(fd, 0, SEEK_CUR) - done, data, done);
    return done;
}

#define TRUNCATES(name, type)                              \
    int name(int fd, type length) {                        \
        char path[PATH_MAX];                               \
        int here = named(fd, path);                        \
        if (here && fails('t', path)) return -1;           \
        int done = REAL(name)(fd, length);                 \
        if (here && !done) record('t', path, length, "", 0); \
        return done;                                       \
    }

TRUNCATES(ftruncate, off_t)
TRUNCATES(ftruncate64, off64_t)

#define SYNCS(name)                                   \
    int name(int fd) {                                \
        char path[PATH_MAX];                          \
        int here = named(fd, path);                   \
        if (here && fails('s', path)) return -1;      \
        int done = REAL(name)(fd);                    \
        if (here && !done) record('s', path, 0, "", 0); \
        return done;                                  \
    }

SYNCS(fsync)
SYNCS(fdatasync)

int unlink(const char *path) {
    char full[PATH_MAX];
    const char *where = whole(path, full);
    if (watched(where) && fails('u', where)) return -1;
    int done = REAL(unlink)(path);
    if (!done && watched(where)) record('u', where, 0, "", 0);
    return done;
}

int rename(const char *from, const char *to) {
    char one[PATH_MAX], other[PATH_MAX];
    const char *source = whole(from, one), *target = whole(to, other);
    if (watched(target) && fails('r', target)) return -1;
    int done = REAL(rename)(from, to);
    if (!done && watched(target)) record('r', source, 0, target, strlen(target));
    return done;
}

static int links(const char *from, const char *to, int done) {
    char one[PATH_MAX], other[PATH_MAX];
    const char *source = whole(from, one), *target = whole(to, other);
    if (!done && watched(target)) record('l', source, 0, target, strlen(target));
    return done;
}

static int may_link(const char *to) {
    char full[PATH_MAX];
    const char *where = whole(to, full);
    return !watched(where) || !fails('c', where);
}

int link(const char *from, const char *to) {
    return may_link(to) ? links(from, to, REAL(link)(from, to)) : -1;
}

int linkat(int folder, const char *from, int other, const char *to, int flags) {
    return may_link(to) ? links(from, to, REAL(linkat)(folder, from, other, to, flags)) : -1;
}

/* The time of day, so many seconds away from what it is. */
int clock_gettime(clockid_t which, struct timespec *now) {
    const char *control = getenv("TORTURE_CLOCK");
    int done = syscall(SYS_clock_gettime, which, now);
    if (done || !control || which != CLOCK_REALTIME) return done;
    char said[32] = "";
    int fd = syscall(SYS_openat, AT_FDCWD, control, O_RDONLY);
    if (fd < 0) return 0;
    if (syscall(SYS_read, fd, said, sizeof said - 1) > 0) now->tv_sec += atol(said);
    syscall(SYS_close, fd);
    return 0;
}
