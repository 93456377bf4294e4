/// Arrays of numbers packed into a page. User document: docs/guide/results.md, "The report page".
#include "report_arrays.hpp"

#include "base64.hpp"
#include "packing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::record {
namespace {

template <class T>
void append_shuffled(std::vector<unsigned char>& bytes, std::span<const T> values) {
  const std::size_t first = bytes.size();
  bytes.resize(first + values.size_bytes());
  shuffle(values, bytes.data() + first);
}

std::vector<float> rounded(std::span<const double> values, ReportArrays::Kind kind) {
  double unit = 0;
  if (kind == ReportArrays::Kind::drawing) {
    for (const double x : values)
      if (std::isfinite(x)) unit = std::max(unit, std::abs(x));
    unit = unit > 0 ? std::ldexp(1.0, std::ilogb(unit) - 20) : 0;
  }
  std::vector<float> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(),
                 [unit](double x) { return static_cast<float>(unit > 0 ? std::round(x / unit) * unit : x); });
  return out;
}

/// Runs that explode have numbers that no float can hold.
bool fits_float(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [](double x) { return !std::isfinite(x) || std::abs(x) <= std::numeric_limits<float>::max(); });
}

}  // namespace

void ReportArrays::add(const std::string& name, const std::vector<std::size_t>& shape, std::span<const double> values,
                       Kind kind) {
  const bool exact = kind == Kind::exact || !fits_float(values);
  index_.push_back({{"name", name}, {"shape", shape}, {"type", exact ? "f8" : "f4"}, {"at", bytes_.size()}});
  if (exact)
    append_shuffled(bytes_, values);
  else
    append_shuffled<float>(bytes_, rounded(values, kind));
}

std::string ReportArrays::packed() const { return base64(Deflater(6).pack(bytes_)); }

}  // namespace filum::record
