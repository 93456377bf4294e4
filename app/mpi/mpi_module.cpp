/// filum-mpi.so: the only code that is linked with MPI, loaded when mpirun or srun has started the program. User
/// document: docs/guide/studies.md, "Many machines".
#include "mpi_functions.hpp"

#include <mpi.h>

namespace {

void open() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
}

void close() { MPI_Finalize(); }

void abort_all() { MPI_Abort(MPI_COMM_WORLD, 1); }

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

void send(int to, int tag, const char* bytes, int count) { MPI_Send(bytes, count, MPI_BYTE, to, tag, MPI_COMM_WORLD); }

bool probe(int& from, int& tag, int& count) {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return false;
  MPI_Get_count(&status, MPI_BYTE, &count);
  from = status.MPI_SOURCE;
  tag = status.MPI_TAG;
  return true;
}

void receive(int from, int tag, char* bytes, int count) {
  MPI_Recv(bytes, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

}  // namespace

extern "C" const filum::study::MpiFunctions* filum_mpi_functions_1() {
  static constexpr filum::study::MpiFunctions functions{.open = open,
                                                        .close = close,
                                                        .abort = abort_all,
                                                        .is_open = is_open,
                                                        .rank = rank,
                                                        .size = size,
                                                        .send = send,
                                                        .probe = probe,
                                                        .receive = receive};
  return &functions;
}
