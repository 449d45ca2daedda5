/* A layer between a process and its disk, loaded with LD_PRELOAD.

   It watches the files of one folder. Every call that changes them, every sync, and the moment
   before an answer of 2xx leaves are written to a trace, in the order in which they happened. Calls
   can be made to fail, as the other process asks for in a page of memory that both share.

   Nothing is watched until `disk_watch` is called. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { READ = 1, WRITE = 2, SYNC = 4, CHANGE = 8 };

/* The same fields as in faults.py. */
struct faults {
    int64_t kinds, error, first, every, seen, failed;
};

struct __attribute__((packed)) head {
    char what;
    int64_t file, offset, size;
};

#define MOST_FILES 65536
static char folder[PATH_MAX];
static size_t folder_length;
static int trace = -1;
static struct faults *faults;
static int64_t file_of[MOST_FILES];
static char is_folder[MOST_FILES];
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int disk_watch(const char *path, const char *trace_path, const char *faults_path) {
    int shared = REAL(open)(faults_path, O_RDWR | O_CLOEXEC);
    trace = REAL(open)(trace_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    faults = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (trace < 0 || faults == MAP_FAILED)
        return -1;
    strncpy(folder, path, sizeof folder - 1);
    folder_length = strlen(folder);
    return 0;
}

/* The name inside the folder, "" for the folder itself, NULL for anything else. */
static const char *name_of(const char *path) {
    if (!folder_length || !path || strncmp(path, folder, folder_length))
        return NULL;
    if (!path[folder_length])
        return "";
    return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static int is_watched(int fd) {
    return folder_length && fd >= 0 && fd < MOST_FILES && (file_of[fd] || is_folder[fd]);
}

static void record(char what, int64_t file, int64_t offset, const void *data, int64_t size) {
    struct head head = {what, file, offset, size};
    struct iovec parts[2] = {{&head, sizeof head}, {(void *)data, (size_t)size}};
    if (writev(trace, parts, 2) != (ssize_t)(sizeof head + size))
        abort();
}

static int fails(int kind) {
    if (!(faults->kinds & kind))
        return 0;
    int64_t late = ++faults->seen - faults->first;
    if (late < 0 || (late && (!faults->every || late % faults->every)))
        return 0;
    faults->failed++;
    errno = (int)faults->error;
    return 1;
}

static int open_watched(const char *name, const char *path, int flags, mode_t mode) {
    struct stat before, now;
    pthread_mutex_lock(&order);
    int there = !stat(path, &before);
    int changes = (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
    int fd = changes && fails(CHANGE) ? -1 : REAL(open)(path, flags, mode);
    if (fd >= MOST_FILES)
        abort();
    if (fd >= 0 && !*name) {
        is_folder[fd] = 1;
    } else if (fd >= 0 && !fstat(fd, &now)) {
        file_of[fd] = (int64_t)now.st_ino;
        if (!there)
            record('c', file_of[fd], 0, name, (int64_t)strlen(name));
        else if (flags & O_TRUNC)
            record('t', file_of[fd], 0, NULL, 0);
    }
    int error = errno;
    pthread_mutex_unlock(&order);
    errno = error;
    return fd;
}

#define OPEN(function)                                                       \
    int function(const char *path, int flags, ...) {                         \
        va_list rest;                                                        \
        va_start(rest, flags);                                               \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                        \
        const char *name = name_of(path);                                    \
        return name ? open_watched(name, path, flags, mode)                  \
                    : REAL(function)(path, flags, mode);                     \
    }
OPEN(open)
OPEN(open64)

int close(int fd) {
    if (is_watched(fd))
        file_of[fd] = is_folder[fd] = 0;
    return REAL(close)(fd);
}

/* Run a call on a watched file, unless it is to fail, and record it if it succeeded. */
#define CALL(kind, fd, call, what, offset, data, size)    \
    pthread_mutex_lock(&order);                           \
    __typeof__(call) done = fails(kind) ? -1 : (call);    \
    int error = errno;                                    \
    if (done >= 0 && what)                                \
        record(what, file_of[fd], offset, data, size);    \
    pthread_mutex_unlock(&order);                         \
    errno = error;                                        \
    return done;

#define PREAD(function, type)                                              \
    ssize_t function(int fd, void *data, size_t size, type offset) {       \
        if (!is_watched(fd))                                               \
            return REAL(function)(fd, data, size, offset);                 \
        CALL(READ, fd, REAL(function)(fd, data, size, offset), 0, 0, NULL, 0) \
    }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

ssize_t read(int fd, void *data, size_t size) {
    if (!is_watched(fd))
        return REAL(read)(fd, data, size);
    CALL(READ, fd, REAL(read)(fd, data, size), 0, 0, NULL, 0)
}

#define PWRITE(function, type)                                                           \
    ssize_t function(int fd, const void *data, size_t size, type offset) {               \
        if (!is_watched(fd))                                                             \
            return REAL(function)(fd, data, size, offset);                               \
        CALL(WRITE, fd, REAL(function)(fd, data, size, offset), 'w', offset, data, done) \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t size) {
    if (!is_watched(fd))
        return REAL(write)(fd, data, size);
    CALL(WRITE, fd, REAL(write)(fd, data, size), 'w', lseek(fd, 0, SEEK_CUR) - done, data, done)
}

#define TRUNCATE(function, type)                                                     \
    int function(int fd, type size) {                                                \
        if (!is_watched(fd))                                                         \
            return REAL(function)(fd, size);                                         \
        CALL(CHANGE, fd, REAL(function)(fd, size), 't', size, NULL, 0)               \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNCHRONIZE(function)                                                          \
    int function(int fd) {                                                             \
        if (!is_watched(fd))                                                           \
            return REAL(function)(fd);                                                 \
        CALL(SYNC, fd, REAL(function)(fd), (is_folder[fd] ? 'd' : 's'), 0, NULL, 0)    \
    }
SYNCHRONIZE(fsync)
SYNCHRONIZE(fdatasync)

int unlink(const char *path) {
    const char *name = name_of(path);
    if (!name)
        return REAL(unlink)(path);
    CALL(CHANGE, 0, REAL(unlink)(path), 'u', 0, name, (int64_t)strlen(name))
}

int rename(const char *from, const char *to) {
    const char *old = name_of(from), *new = name_of(to);
    if (!old || !new)
        return REAL(rename)(from, to);
    char both[2 * PATH_MAX];
    int64_t size = (int64_t)(strlen(old) + 1 + strlen(new));
    strcpy(both, old);
    strcpy(both + strlen(old) + 1, new);
    CALL(CHANGE, 0, REAL(rename)(from, to), 'r', 0, both, size)
}

ssize_t send(int socket, const void *data, size_t size, int flags) {
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    /* "HTTP/1.1 20": the report is said to be on disk. */
    if (folder_length && size > 12 && !memcmp(data, "HTTP/1.1 20", 11) &&
        !getpeername(socket, (struct sockaddr *)&peer, &length)) {
        pthread_mutex_lock(&order);
        record('a', ntohs(peer.sin_port), 0, NULL, 0);
        pthread_mutex_unlock(&order);
    }
    return REAL(send)(socket, data, size, flags);
}
