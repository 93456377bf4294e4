/// Mutated studies: refused with a place, or expanded to a bounded number of cases.
#include "campaigns.hpp"

#include <filum/study/cases.hpp>
#include <filum/study/read.hpp>

namespace filum::attack {

Campaign study_campaign() {
  return {"studies", "mutated studies are refused with a place, or have cases",
          [](std::size_t, Draw& draw, Attempt& attempt, const std::function<void()>& written) {
            attempt.input = mutated(std::string(draw.of(study::builtin_studies()).text), draw);
            written();
            try {
              study::Study s = study::parse_study(attempt.input, "attack.toml");
              // Expansion reads a scenario per case: of large studies the short form is enough.
              std::size_t cases = 1;
              for (const study::Vary& v : s.vary) cases *= v.values.size() + v.options.size();
              if (cases > 30) return;
              const study::CaseList list = study::expand(s);
              attempt.is_accepted = true;
              if (list.cases.empty() || list.runs.empty()) attempt.failure = "a study without cases";
            } catch (const config::InputError& error) {
              attempt.failure = objection_to_message(error.what(), true);
            }
          }};
}

}  // namespace filum::attack
