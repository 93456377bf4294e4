/// Messages between the ranks of an MPI job: all of MPI that filum uses. User document: docs/guide/studies.md, "Many
/// machines".
#pragma once

#include <optional>
#include <string>

namespace filum::study::channel {

enum class Tag {
  look_for,     ///< 0 to others: can you see this file?
  looked,       ///< the answer
  execute_run,  ///< 0 to others: a run
  executed,     ///< the answer
  interrupt,    ///< both ways: the job is to end
  end_session,  ///< 0 to others: no more of all this
  ended,        ///< the last message of a rank
};

struct Message {
  int from = 0;
  Tag tag = Tag::ended;
  std::string text;
};

/// Loads MPI; before, there is no channel, and nothing but `is_open` may be called. Says why it is not to be had; empty
/// when it is there.
std::string load();

/// MPI is called by one thread alone, the one that calls this.
void open();
void close();
/// Ends all ranks at once: for a rank that cannot go on.
[[noreturn]] void abort();
bool is_open();
int rank();
int size();

/// Returns when the text may be forgotten.
void send(int to, Tag tag, const std::string& text);
/// The next message, if one is there. Messages of one rank arrive in their order.
std::optional<Message> received();

}  // namespace filum::study::channel
