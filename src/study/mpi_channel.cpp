/// Messages by MPI, or no messages without it. User document: docs/guide/studies.md, "Many machines".
#include "mpi_channel.hpp"

#ifdef FILUM_HAS_MPI
#include <mpi.h>
#endif

#include <cassert>
#include <cstdlib>

namespace filum::study::channel {

#ifdef FILUM_HAS_MPI

bool exists() { return true; }

void open() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
}

void close() { MPI_Finalize(); }

void abort() {
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

bool is_open() {
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return begun != 0 && ended == 0;
}

int rank() {
  int value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &value);
  return value;
}

int size() {
  int value = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &value);
  return value;
}

void send(int to, Tag tag, const std::string& text) {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_BYTE, to, static_cast<int>(tag), MPI_COMM_WORLD);
}

std::optional<Message> received() {
  int there = 0, length = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return std::nullopt;
  MPI_Get_count(&status, MPI_BYTE, &length);
  Message message{status.MPI_SOURCE, static_cast<Tag>(status.MPI_TAG),
                  std::string(static_cast<std::size_t>(length), '\0')};
  MPI_Recv(message.text.data(), length, MPI_BYTE, message.from, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return message;
}

#else

bool exists() { return false; }
void open() { assert(false); }
void close() { assert(false); }
void abort() { std::abort(); }
bool is_open() { return false; }
int rank() { return 0; }
int size() { return 1; }
void send(int, Tag, const std::string&) { assert(false); }
std::optional<Message> received() { return std::nullopt; }

#endif

}  // namespace filum::study::channel
