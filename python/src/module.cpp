/// The module filum._core. User document: docs/python/README.md.
#include "convert.hpp"

#include <filum/analysis/modes.hpp>
#include <filum/config/problem.hpp>
#include <filum/model/model_error.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/modes.hpp>
#include <filum/record/simulate.hpp>

namespace filum::python {
namespace {

/// Models that come from no file have no line and column.
std::string without_place(std::string text) {
  const std::string nowhere = ":1:1: ";
  for (std::size_t at = 0; at != std::string::npos; at = text.find('\n', at), at += at != std::string::npos ? 1 : 0)
    if (text.compare(at, nowhere.size(), nowhere) == 0) text.erase(at, nowhere.size());
  return text;
}

void raise(const char* type, const std::exception& error) {
  const py::object errors = py::module_::import("filum.errors");
  PyErr_SetString(errors.attr(type).ptr(), without_place(error.what()).c_str());
}

/// Messages are those of the program.
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const py::builtin_exception&) {
    throw;
  } catch (const config::InputError& error) {
    raise("ModelError", error);
  } catch (const model::ModelError& error) {
    raise("ModelError", error);
  } catch (const model::OptionError& error) {
    raise("ModelError", error);
  } catch (const record::NoEquilibrium& error) {
    raise("NoEquilibrium", error);
  } catch (const analysis::NoModes& error) {
    raise("NoModes", error);
  } catch (const record::NoState& error) {
    raise("StoppedError", error);
  } catch (const integrate::IntegrationStopped& error) {
    raise("StoppedError", error);
  } catch (const integrate::StartFailed& error) {
    raise("StoppedError", error);
  } catch (const record::FileTrouble& error) {
    raise("FileError", error);
  } catch (const std::invalid_argument& error) {
    raise("ModelError", error);
  }
}

}  // namespace
}  // namespace filum::python

PYBIND11_MODULE(_core, m) {
  using namespace filum::python;
  m.doc() = "What the package filum is made of; use `import filum` instead.";
  py::register_local_exception_translator(translate);
  m.attr("version") = filum::record::version();
  bind_document(m);
  bind_run(m);
  bind_stepping(m);
  bind_lie(m);
  bind_part(m);
}
