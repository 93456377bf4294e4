/* Every allocation moved by ATTACK_SHIFT bytes, by LD_PRELOAD: results must not depend on where memory lies. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern void* __libc_malloc(size_t);
extern void __libc_free(void*);

/* Before every block: where the memory begins that it was cut from, and its size. */
struct head {
  void* whole;
  size_t size;
};

static size_t shift(void) {
  static size_t value = ~(size_t)0;
  if (value == ~(size_t)0) {
    const char* text = getenv("ATTACK_SHIFT");
    value = text ? (size_t)atoi(text) : 0;
  }
  return value;
}

static void* take(size_t alignment, size_t size, size_t moved) {
  if (size > SIZE_MAX / 2 || alignment > SIZE_MAX / 4) return NULL;
  char* whole = __libc_malloc(size + 2 * alignment + moved + sizeof(struct head));
  if (!whole) return NULL;
  uintptr_t place = (uintptr_t)whole + sizeof(struct head);
  place = (place + alignment - 1) / alignment * alignment + moved;
  struct head* head = (struct head*)place - 1;
  memcpy(head, &(struct head){whole, size}, sizeof *head);
  return (void*)place;
}

void* malloc(size_t size) { return take(64, size, shift()); }
void free(void* block) {
  struct head head;
  if (!block) return;
  memcpy(&head, (struct head*)block - 1, sizeof head);
  __libc_free(head.whole);
}
void* calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  void* block = malloc(bytes);
  return block ? memset(block, 0, bytes) : NULL;
}
void* realloc(void* block, size_t size) {
  struct head head = {0};
  if (block) memcpy(&head, (struct head*)block - 1, sizeof head);
  void* other = malloc(size);
  if (other && block) {
    memcpy(other, block, head.size < size ? head.size : size);
    free(block);
  }
  return other;
}
/* Whoever asks for an alignment gets it, and no more. */
void* aligned_alloc(size_t alignment, size_t size) {
  if (alignment < sizeof(struct head)) alignment = sizeof(struct head);
  return take(2 * alignment, size, shift() ? alignment : 0);
}
void* memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = aligned_alloc(alignment, size);
  return *out ? 0 : ENOMEM;
}
