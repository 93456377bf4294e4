/// The C allocation functions in front of glibc's own, or the hook that a sanitizer offers instead.
#include "allocation_counter.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {
std::atomic<long> count{0};
}  // namespace

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

#ifdef FILUM_TEST_SANITIZED
bool filum::test::shift_allocations(int bytes) { return bytes == 0; }

extern "C" {
void __sanitizer_malloc_hook(const volatile void*, std::size_t) { ++count; }
void __sanitizer_free_hook(const volatile void*) {}
}
#else
namespace {
std::atomic<int> shift{0};
}

bool filum::test::shift_allocations(int bytes) {
  shift = bytes;
  return true;
}

extern "C" {
void* __libc_malloc(std::size_t);
void __libc_free(void*);
}

namespace {

/// Stands right before every piece of memory.
struct Header {
  void* base;
  std::size_t size;
};

void* place(std::size_t size, std::size_t alignment, std::size_t offset) {
  ++count;
  auto* base = static_cast<char*>(__libc_malloc(size + sizeof(Header) + alignment + offset));
  if (!base) return nullptr;
  const auto first = reinterpret_cast<std::uintptr_t>(base) + sizeof(Header);
  char* memory = base + sizeof(Header) + ((alignment - first % alignment) % alignment) + offset;
  const Header header{base, size};
  std::memcpy(memory - sizeof(Header), &header, sizeof(Header));
  return memory;
}

Header header_of(const void* memory) {
  Header header;
  std::memcpy(&header, static_cast<const char*>(memory) - sizeof(Header), sizeof(Header));
  return header;
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) { return place(size, 64, static_cast<std::size_t>(shift.load())); }
void free(void* p) {
  if (p) __libc_free(header_of(p).base);
}
void* calloc(std::size_t n, std::size_t size) {
  if (size != 0 && n > SIZE_MAX / size) return nullptr;
  void* p = malloc(n * size);
  return p ? std::memset(p, 0, n * size) : nullptr;
}
void* realloc(void* p, std::size_t size) {
  void* q = malloc(size);
  if (p && q) std::memcpy(q, p, std::min(size, header_of(p).size));
  if (q) free(p);
  return q;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return place(size, std::max<std::size_t>(alignment, 16), 0);
}
void* memalign(std::size_t alignment, std::size_t size) { return aligned_alloc(alignment, size); }
int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  *p = aligned_alloc(alignment, size);
  return *p ? 0 : ENOMEM;
}
std::size_t malloc_usable_size(void* p) { return p ? header_of(p).size : 0; }
}
#endif
