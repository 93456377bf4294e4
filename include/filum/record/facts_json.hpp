/// Facts as JSON, the attribute "facts" of a result file. User document: docs/guide/results.md, "Facts".
#pragma once

#include <filum/model/facts.hpp>
#include <filum/record/hdf5_file.hpp>

#include <string>
#include <string_view>

namespace filum::record {

namespace drawing = model::drawing;
using model::Anchor;
using model::Drawing;
using model::Facts;
using model::Field;
using model::ObjectFacts;
using model::PlotFacts;
using model::PlotRank;
using model::SettingsTable;
using model::Trail;

std::string facts_text(const Facts& facts);

/// Drawings of a type that is not known here are left out. Throws FileTrouble when anything else is not as
/// `facts_text` writes it, or refers to an object, node or number that does not exist.
Facts parse_facts(std::string_view text);

/// The facts of a result file. Throws FileTrouble, also for files of versions that wrote none.
Facts read_facts(const Hdf5File& file);

}  // namespace filum::record
