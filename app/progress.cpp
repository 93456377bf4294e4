/// Progress of a run. User document: docs/guide/first-run.md.
#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace filum::app {
namespace {

std::string duration(double seconds) {
  char text[32];
  if (seconds < 90)
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  else if (seconds < 5400)
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
  else
    std::snprintf(text, sizeof text, "%.1f h", seconds / 3600);
  return text;
}

}  // namespace

ProgressDisplay::ProgressDisplay(bool quiet) : quiet_(quiet), on_terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressDisplay::operator()(const record::Progress& p) {
  if (quiet_ || (!on_terminal_ && p.seconds < next_line_)) return;
  next_line_ = p.seconds + 5;
  const double done = std::clamp((p.time - p.start) / (p.end - p.start), 0.0, 1.0);
  const std::string left = done > 0 ? duration(p.seconds / done - p.seconds) : "?";
  if (!on_terminal_) {
    std::fprintf(stderr, "t = %.6g of %.6g, step %.3g, Newton %.1f, %s left\n", p.time, p.end, p.step,
                 p.newton_per_step, left.c_str());
    return;
  }
  constexpr int width = 30;
  const int full = static_cast<int>(done * width);
  std::fprintf(stderr, "\r\033[K[%s%s] t = %.6g of %.6g, step %.3g, Newton %.1f, %s left",
               std::string(static_cast<std::size_t>(full), '#').c_str(),
               std::string(static_cast<std::size_t>(width - full), '.').c_str(), p.time, p.end, p.step,
               p.newton_per_step, left.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressDisplay::clear() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace filum::app
