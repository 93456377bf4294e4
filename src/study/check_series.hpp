/// Series that a study asks for, looked up before anything runs. User document: docs/guide/studies.md, "Series and
/// measures".
#pragma once

#include <filum/study/cases.hpp>

namespace filum::study {

/// Throws config::InputError with every series that none of the runs will record, or of which more than one number is
/// taken where one is needed. Builds the model of the first run; further ones only for what that one does not record.
void check_series(const Study& study, const CaseList& list);

}  // namespace filum::study
