/// Arrays of numbers packed into a page. User document: docs/guide/results.md, "The report page".
#include "report_arrays.hpp"

#include "base64.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace filum::record {
namespace {

/// Bytes of equal rank stand together: signs and exponents repeat, and then deflate finds them.
template <class T>
void append_shuffled(std::vector<unsigned char>& bytes, const std::vector<T>& values) {
  const std::size_t first = bytes.size(), count = values.size();
  bytes.resize(first + count * sizeof(T));
  for (std::size_t i = 0; i < count; ++i) {
    unsigned char raw[sizeof(T)];
    std::memcpy(raw, &values[i], sizeof(T));
    for (std::size_t k = 0; k < sizeof(T); ++k) bytes[first + k * count + i] = raw[k];
  }
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
    append_shuffled(bytes_, std::vector<double>(values.begin(), values.end()));
  else
    append_shuffled(bytes_, rounded(values, kind));
}

std::string ReportArrays::packed() const {
  uLongf size = compressBound(bytes_.size());
  std::vector<unsigned char> small(size);
  if (compress2(small.data(), &size, bytes_.data(), bytes_.size(), 6) != Z_OK)
    throw std::runtime_error("the data of the report cannot be compressed");
  small.resize(size);
  return base64(small);
}

}  // namespace filum::record
