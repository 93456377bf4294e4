/// Which keys of a file have problems. User document: docs/guide/error-messages.md.
#include <filum/config/enclosing.hpp>

namespace filum::config {

std::string_view enclosing_key(std::string_view key) {
  const std::size_t cut = key.find_last_of(".[");
  return cut == std::string_view::npos ? std::string_view() : key.substr(0, cut);
}

Enclosing::Enclosing(const std::vector<Problem>& problems) {
  for (const Problem& p : problems) {
    for (std::string_view key = p.key; !key.empty(); key = enclosing_key(key)) keys_.emplace(key);
    if (!p.key.empty()) exact_.insert(p.key);
  }
}

bool Enclosing::concerns(std::string_view key) const {
  if (contains(key)) return true;
  for (; !key.empty(); key = enclosing_key(key))
    if (exact_.find(key) != exact_.end()) return true;
  return false;
}

}  // namespace filum::config
