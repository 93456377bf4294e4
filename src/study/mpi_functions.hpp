/// What the module filum-mpi.so offers to whoever loads it: MPI behind plain functions. User document:
/// docs/guide/studies.md, "Many machines".
#pragma once

namespace filum::study {

/// Texts and tags are the caller's own.
struct MpiFunctions {
  void (*open)();
  void (*close)();
  void (*abort)();
  bool (*is_open)();
  int (*rank)();
  int (*size)();
  void (*send)(int to, int tag, const char* bytes, int count);
  /// Whether a message is there: who sent it, its tag and length.
  bool (*probe)(int& from, int& tag, int& count);
  void (*receive)(int from, int tag, char* bytes, int count);
};

/// The only symbol of the module, which returns its MpiFunctions. Another number for another struct.
constexpr const char* mpi_functions_symbol = "filum_mpi_functions_1";

}  // namespace filum::study
