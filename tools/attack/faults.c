/* Trouble with files, by LD_PRELOAD: ends the process at the n-th operation on files of a folder, or makes the disk full.
 *
 * ATTACK_FOLDER  only files whose path contains this count
 * ATTACK_AT      number of the operation, from 1 on; 0: none
 * ATTACK_MODE    kill-before, kill-after, kill-half (in the middle of what is written, where the kernel looks for signals:
 *                between two pages), kill-torn (the same, and only writes count that a journal was written for), full
 *                (from then on), full-once
 * ATTACK_COUNT   a file to which the numbers of operations and of writes with a journal are written when the process
 *                ends by itself
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { most_files = 4096 };
enum { a_file = 1, a_result = 2, a_journal = 3 };
static atomic_int is_watched[most_files];
static atomic_long operations, journaled;
static atomic_int has_journal; /* for the write to the result file that comes next */
static const char* folder;
static const char* mode = "";
static long at;

__attribute__((constructor)) static void set_up(void) {
  folder = getenv("ATTACK_FOLDER");
  if (getenv("ATTACK_MODE")) mode = getenv("ATTACK_MODE");
  if (getenv("ATTACK_AT")) at = atol(getenv("ATTACK_AT"));
}

__attribute__((destructor)) static void tell(void) {
  const char* file = getenv("ATTACK_COUNT");
  FILE* out = file ? fopen(file, "w") : NULL;
  if (!out) return;
  fprintf(out, "%ld\n%ld\n", atomic_load(&operations), atomic_load(&journaled));
  fclose(out);
}

static int counts(const char* path) { return folder && path && strstr(path, folder); }
static int watched(int fd) { return fd >= 0 && fd < most_files ? atomic_load(&is_watched[fd]) : 0; }
static void watch(int fd, int kind) {
  if (fd >= 0 && fd < most_files) atomic_store(&is_watched[fd], kind);
}
static int kind_of(const char* path) {
  if (strstr(path, ".filum-journal-")) return a_journal;
  return strstr(path, "result.h5") ? a_result : a_file;
}

static void end_now(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* What happens to this operation: 0 nothing, 1 fails, 2 half of it and the end, 3 the end afterwards. */
static int fate(int needs_space) {
  const long n = atomic_fetch_add(&operations, 1) + 1;
  if (at == 0 || !strcmp(mode, "kill-torn")) return 0;
  if (!strcmp(mode, "full")) return n >= at && needs_space;
  if (n != at) return 0;
  if (!strcmp(mode, "kill-before")) end_now();
  if (!strcmp(mode, "kill-after")) return 3;
  if (!strcmp(mode, "kill-half")) return 2;
  return !strcmp(mode, "full-once") && needs_space;
}

/* The same for a write at a place. A journal's head alone says that a write is over. */
static int fate_of_write(int fd, size_t size) {
  const size_t head = 32;
  const int what = fate(1);
  if (watched(fd) == a_journal) atomic_store(&has_journal, size > head);
  if (watched(fd) != a_result || !atomic_exchange(&has_journal, 0)) return what;
  const long n = atomic_fetch_add(&journaled, 1) + 1;
  return n == at && !strcmp(mode, "kill-torn") ? 2 : what;
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define ACT(needs_space, type, failing, call) \
  const int what = fate(needs_space); \
  if (what == 1) { \
    errno = ENOSPC; \
    return failing; \
  } \
  const type result = call; \
  if (what >= 2) end_now(); \
  return result

/* How much of a write is done when the process is ended in the middle of it. */
static size_t part_of(size_t size, off_t place) {
  const size_t page = 4096, middle = ((size_t)place + size / 2) / page * page;
  return middle > (size_t)place ? middle - (size_t)place : 0;
}

static int open_with(int (*real)(const char*, int, ...), const char* path, int flags, mode_t bits) {
  const int matters = counts(path) && (flags & (O_CREAT | O_WRONLY | O_RDWR));
  const int what = matters ? fate((flags & O_CREAT) != 0) : 0;
  if (what == 1) {
    errno = ENOSPC;
    return -1;
  }
  const int fd = real(path, flags, bits);
  watch(fd, matters ? kind_of(path) : 0);
  if (what >= 2) end_now();
  return fd;
}

#define OPEN(name) \
  int name(const char* path, int flags, ...) { \
    static int (*real)(const char*, int, ...); \
    if (!real) real = (int (*)(const char*, int, ...))dlsym(RTLD_NEXT, #name); \
    va_list rest; \
    va_start(rest, flags); \
    const mode_t bits = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return open_with(real, path, flags, bits); \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  REAL(int, "close", int);
  watch(fd, 0);
  return real(fd);
}

ssize_t write(int fd, const void* bytes, size_t size) {
  REAL(ssize_t, "write", int, const void*, size_t);
  if (!watched(fd)) return real(fd, bytes, size);
  const int what = fate(1);
  if (what == 1) {
    errno = ENOSPC;
    return -1;
  }
  const ssize_t n = real(fd, bytes, what == 2 ? part_of(size, lseek(fd, 0, SEEK_CUR)) : size);
  if (what >= 2) end_now();
  return n;
}

static ssize_t pwrite_with(ssize_t (*real)(int, const void*, size_t, off_t), int fd, const void* bytes, size_t size,
                           off_t place) {
  if (!watched(fd)) return real(fd, bytes, size, place);
  const int what = fate_of_write(fd, size);
  if (what == 1) {
    errno = ENOSPC;
    return -1;
  }
  const ssize_t n = real(fd, bytes, what == 2 ? part_of(size, place) : size, place);
  if (what >= 2) end_now();
  return n;
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t place) {
  REAL(ssize_t, "pwrite", int, const void*, size_t, off_t);
  return pwrite_with(real, fd, bytes, size, place);
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t place) {
  REAL(ssize_t, "pwrite64", int, const void*, size_t, off_t);
  return pwrite_with(real, fd, bytes, size, place);
}

int ftruncate(int fd, off_t length) {
  REAL(int, "ftruncate", int, off_t);
  if (!watched(fd)) return real(fd, length);
  ACT(0, int, -1, real(fd, length));
}
int ftruncate64(int fd, off64_t length) {
  REAL(int, "ftruncate64", int, off64_t);
  if (!watched(fd)) return real(fd, length);
  ACT(0, int, -1, real(fd, length));
}
/* Processes are killed here, not machines: nothing has to reach the disk, and thousands of runs take less time. */
int fsync(int fd) {
  if (!watched(fd)) return 0;
  ACT(0, int, -1, 0);
}
int fdatasync(int fd) { return fsync(fd); }
int posix_fallocate(int fd, off_t from, off_t size) {
  REAL(int, "posix_fallocate", int, off_t, off_t);
  if (!watched(fd)) return real(fd, from, size);
  ACT(1, int, ENOSPC, real(fd, from, size));
}
int posix_fallocate64(int fd, off64_t from, off64_t size) {
  REAL(int, "posix_fallocate64", int, off64_t, off64_t);
  if (!watched(fd)) return real(fd, from, size);
  ACT(1, int, ENOSPC, real(fd, from, size));
}
int rename(const char* from, const char* to) {
  REAL(int, "rename", const char*, const char*);
  if (!counts(from)) return real(from, to);
  ACT(0, int, -1, real(from, to));
}
int unlink(const char* path) {
  REAL(int, "unlink", const char*);
  if (!counts(path)) return real(path);
  ACT(0, int, -1, real(path));
}
int remove(const char* path) {
  REAL(int, "remove", const char*);
  if (!counts(path)) return real(path);
  ACT(0, int, -1, real(path));
}
int mkdir(const char* path, mode_t bits) {
  REAL(int, "mkdir", const char*, mode_t);
  if (!counts(path)) return real(path, bits);
  ACT(1, int, -1, real(path, bits));
}
