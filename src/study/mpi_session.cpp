/// Beginning and end of an MPI job. User document: docs/guide/studies.md, "Many machines".
#include "launch.hpp"
#include "mpi_channel.hpp"

#include <filum/config/problem.hpp>
#include <filum/study/mpi.hpp>

#include <chrono>
#include <exception>
#include <thread>

namespace filum::study {
namespace {

std::string number_of(const Launch& launch) {
  return launch.size > 0 ? std::to_string(launch.size) + " processes" : std::string("several processes");
}

/// Opens the channel. Says why these processes cannot share the work; empty when they can.
std::string objection(const Launch& launch) {
  if (const std::string reason = channel::load(); !reason.empty())
    return reason + ", and " + number_of(launch) +
           " would all do the same: start it without mpirun or srun (--jobs N uses N cores), or build it with "
           "-DFILUM_MPI=ON";
  channel::open();
  if (channel::size() == 1 && launch.size > 1)
    return number_of(launch) +
           " were started, but MPI does not connect them: use the mpirun of the MPI that filum was built with, or "
           "srun --mpi=pmix";
  return {};
}

void send_everybody_home() {
  for (int to = 1; to < channel::size(); ++to) channel::send(to, channel::Tag::end_session, {});
  for (int left = channel::size() - 1; left > 0;) {
    const auto message = channel::received();
    if (!message) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (message && message->tag == channel::Tag::ended) --left;
  }
}

}  // namespace

MpiSession::MpiSession() {
  const Launch launch = launch_of_environment();
  if (launch.size == 1) return;
  const std::string trouble = objection(launch);
  if (trouble.empty()) return;
  if (channel::is_open()) channel::close();
  if (launch.rank == 0) config::refuse_input("filum study", trouble);
  config::refuse_input("filum study", "the environment says that this is process " + std::to_string(launch.rank) +
                                          " among " + number_of(launch) + " (" + launch.variable +
                                          "), but MPI does not connect them; if it was started alone, unset " +
                                          launch.variable);
}

MpiSession::~MpiSession() {
  if (!channel::is_open()) return;
  // A rank that fails leaves rank 0 waiting for it.
  if (channel::rank() > 0 && std::uncaught_exceptions() > 0) channel::abort();
  if (channel::rank() == 0) send_everybody_home();
  channel::close();
}

int mpi_rank() { return channel::is_open() ? channel::rank() : launch_of_environment().rank; }
int mpi_size() { return channel::is_open() ? channel::size() : 1; }
bool is_started_as_another_rank() { return launch_of_environment().rank > 0; }

}  // namespace filum::study
