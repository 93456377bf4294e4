/// filum_attack CAMPAIGN [--count N] [--seconds S] [--seed K] [--first N] [--keep FOLDER]: attempts until one of the
/// limits, from number N on, and a line with what they came to. How to use it: docs/reliability.md.
#include "campaigns.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace filum::attack {

std::string objection_to_message(const std::string& message, bool needs_place) {
  constexpr std::size_t longest = 60000;  // twenty problems
  if (message.empty()) return "a message without words";
  if (message.size() > longest) return "a message of " + std::to_string(message.size()) + " characters";
  if (message.find(",,") != std::string::npos) return "two commas: " + message;
  if (needs_place && !message.starts_with("attack.toml:") && !message.starts_with("--set") &&
      !message.starts_with("scenarios/"))
    return "a message without a place: " + message;
  for (std::size_t at = 0; (at = message.find("did you mean '", at)) != std::string::npos; ++at) {
    const std::size_t begin = at + 14, end = message.find('\'', begin);
    // What was typed may have quotes itself.
    const std::string hint = "'" + message.substr(begin, end - begin) + "'; did you mean";
    const std::size_t typed = message.find(hint);
    const bool is_whole = typed != std::string::npos && (typed == 0 || message[typed - 1] != '\'') &&
                          (end + 1 >= message.size() || message[end + 1] != '\'');
    if (is_whole) return "a hint that repeats what was typed: " + message;
  }
  return {};
}

namespace {

struct Limits {
  std::size_t count = static_cast<std::size_t>(-1);
  double seconds = 1e9;
  std::uint64_t seed = 1, first = 0;
  std::filesystem::path folder = "attack-findings";
};

[[noreturn]] void die(int signal) {
  const char text[] =
      "\ncrash or hang (signal, or 30 s of processor time): the input is in the file 'last' of the folder of "
      "findings\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(4);
  _exit(100 + signal);
}

/// Of the processor, which does not depend on what else a machine does.
void limit_time(int seconds) {
  const itimerval limit{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

int run(const Campaign& campaign, const Limits& limits) {
  using Clock = std::chrono::steady_clock;
  std::filesystem::create_directories(limits.folder);
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // who dies has said what came before
  for (const int signal : {SIGPROF, SIGSEGV, SIGABRT, SIGFPE}) std::signal(signal, die);
  const auto begin = Clock::now();
  std::size_t attempts = 0, accepted = 0, failures = 0;
  const std::size_t most = campaign.size > 0 ? std::min(limits.count, campaign.size) : limits.count;
  for (; attempts < most; ++attempts) {
    if (std::chrono::duration<double>(Clock::now() - begin).count() > limits.seconds) break;
    const std::size_t number = limits.first + attempts;
    Draw draw(limits.seed * 1000003 + number);
    Attempt attempt;
    limit_time(30);
    const auto written = [&] { std::ofstream(limits.folder / "last", std::ios::binary) << attempt.input; };
    try {
      campaign.attempt(number, draw, attempt, written);
    } catch (const std::exception& error) {
      attempt.failure = std::string("an exception that nobody expects: ") + error.what();
    }
    limit_time(0);
    accepted += attempt.is_accepted;
    if (attempt.failure.empty()) continue;
    const std::filesystem::path file = limits.folder / (campaign.name + "-" + std::to_string(++failures) + ".txt");
    std::ofstream(file, std::ios::binary) << attempt.input;
    std::printf("%s, number %zu: %s\n", file.c_str(), number, attempt.failure.substr(0, 500).c_str());
  }
  std::printf("%s: %zu attempts with seed %llu, %zu accepted, %zu failures (%s)\n", campaign.name.c_str(), attempts,
              static_cast<unsigned long long>(limits.seed), accepted, failures, campaign.about.c_str());
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace filum::attack

int main(int argc, char** argv) {
  using namespace filum::attack;
  std::map<std::string, Campaign> campaigns;
  for (Campaign& c : std::vector{scenario_campaign(), study_campaign(), formula_campaign(), combination_campaign()})
    campaigns.emplace(c.name, std::move(c));
  const auto found = argc > 1 ? campaigns.find(argv[1]) : campaigns.end();
  Limits limits;
  bool is_valid = found != campaigns.end() && argc % 2 == 0;
  for (int k = 2; is_valid && k + 1 < argc; k += 2) {
    const std::string option = argv[k], value = argv[k + 1];
    if (option == "--count")
      limits.count = std::strtoull(value.c_str(), nullptr, 10);
    else if (option == "--seconds")
      limits.seconds = std::strtod(value.c_str(), nullptr);
    else if (option == "--seed")
      limits.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (option == "--first")
      limits.first = std::strtoull(value.c_str(), nullptr, 10);
    else if (option == "--keep")
      limits.folder = value;
    else
      is_valid = false;
  }
  if (!is_valid) {
    std::puts("filum_attack CAMPAIGN [--count N] [--seconds S] [--seed K] [--first N] [--keep FOLDER]");
    for (const auto& [name, campaign] : campaigns) std::printf("  %-14s %s\n", name.c_str(), campaign.about.c_str());
    return 2;
  }
  return run(found->second, limits);
}
