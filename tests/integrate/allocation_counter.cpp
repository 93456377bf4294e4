/// The C allocation functions in front of glibc's own, or the hook that a sanitizer offers instead.
#include "allocation_counter.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace {
std::atomic<long> count{0};
}

namespace filum::test {
long allocations() { return count.load(); }
}  // namespace filum::test

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define FILUM_TEST_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FILUM_TEST_SANITIZED
#endif

extern "C" {
#ifdef FILUM_TEST_SANITIZED
void __sanitizer_malloc_hook(const volatile void*, std::size_t) { ++count; }
void __sanitizer_free_hook(const volatile void*) {}
#else
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  ++count;
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t size) {
  ++count;
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  ++count;
  *p = __libc_memalign(alignment, size);
  return *p ? 0 : ENOMEM;
}
#endif
}
