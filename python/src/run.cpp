/// Runs, statics and modes for Python, and their results. User document: docs/python/README.md, "Results".
#include "scenario.hpp"
#include "watching.hpp"

#include <filum/record/hdf5_file.hpp>
#include <filum/record/read_run.hpp>
#include <filum/record/report.hpp>
#include <filum/record/write_run.hpp>
#include <filum/scenario/modes.hpp>
#include <filum/scenario/read.hpp>
#include <filum/scenario/simulation.hpp>
#include <filum/scenario/tables.hpp>
#include <filum/study/read.hpp>
#include <filum/study/run_study.hpp>

#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <future>
#include <optional>

namespace filum::python {
namespace {

using scenario::Scenario;
using std::filesystem::path;

/// Looks for Ctrl-C while others step, and shows how far they are. What a signal handler raises is raised after the run
/// has been completed in an orderly way.
class Watch {
 public:
  explicit Watch(py::object progress) : progress_(std::move(progress)) {}
  const std::atomic<bool>* flag() const { return &stop_; }

  void look_for_signals() {
    const py::gil_scoped_acquire lock;
    if (!raised_ && PyErr_CheckSignals() != 0) keep(py::error_already_set());
  }
  void look(double start, double time, double end, double step, double newton, double seconds) {
    const py::gil_scoped_acquire lock;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress_.is_none()) progress_(start, time, end, step, newton, seconds);
    } catch (const py::error_already_set& error) {
      keep(error);
    }
  }
  /// With what there is so far as the attribute `run` of the exception.
  void raise_if_stopped(const py::object& run) const {
    if (!raised_) return;
    py::error_already_set error = *raised_;
    if (!run.is_none()) error.value().attr("run") = run;
    throw error;
  }

 private:
  void keep(const py::error_already_set& error) {
    raised_ = error;
    stop_ = true;
  }

  py::object progress_;
  std::atomic<bool> stop_ = false;
  std::optional<py::error_already_set> raised_;
};

scenario::SimulationOptions options_of(const std::string& folder, bool force, bool report, int threads, Watch& watch) {
  scenario::SimulationOptions o;
  o.folder = folder;
  o.force = force;
  o.report = report && !folder.empty();
  o.keep = true;
  o.threads = threads;
  o.interrupt = watch.flag();
  o.progress = [&watch](const record::Progress& p) {
    watch.look(p.start, p.time, p.end, p.step, p.newton_per_step, p.seconds);
  };
  o.path_progress = [&watch](double) { watch.look_for_signals(); };
  return o;
}

std::shared_ptr<StoredRun> stored(record::Run run, const std::string& folder) {
  auto result = std::make_shared<StoredRun>();
  result->summary = record::summary_text(run.summary);
  result->run = std::move(run);
  result->folder = folder;
  return result;
}

std::shared_ptr<StoredRun> simulate(const Scenario& s, const std::string& folder, bool force, bool report,
                                    const py::object& observer, const py::object& progress, int threads) {
  if (const std::string reason = objection_to_samples(s); !reason.empty()) throw std::invalid_argument(reason);
  Watch watch(progress);
  scenario::SimulationOptions o = options_of(folder, force, report, threads, watch);
  if (!observer.is_none())
    o.observer = [&observer](const State& x) {
      const py::gil_scoped_acquire lock;
      const py::object result = observer(MethodState{x});
      return result.is_none() || py::bool_(result).cast<bool>();
    };
  record::Run run;
  {
    const py::gil_scoped_release unlocked;
    run = scenario::simulate(s, o);
  }
  auto result = stored(std::move(run), folder);
  watch.raise_if_stopped(py::cast(result));
  return result;
}

std::shared_ptr<StoredRun> follow_path(const Scenario& s, const std::string& folder, bool force, bool report,
                                       int threads) {
  Watch watch{py::none()};
  const scenario::SimulationOptions o = options_of(folder, force, report, threads, watch);
  record::Run run;
  {
    const py::gil_scoped_release unlocked;
    run = scenario::follow_path(s, o);
  }
  auto result = stored(std::move(run), folder);
  watch.raise_if_stopped(py::cast(result));
  return result;
}

struct ModesOf {
  record::ModesRun run;
  std::string folder;
};

std::shared_ptr<ModesOf> find_modes(const Scenario& s, int count, bool undamped, const std::optional<double>& time,
                                    bool at_equilibrium, const std::string& folder, bool force, bool matrices,
                                    int threads) {
  Watch watch{py::none()};
  scenario::SimulationOptions o = options_of(folder, force, !matrices, threads, watch);
  record::ModesRunOptions what;
  what.modes.count = count;
  what.modes.undamped = undamped;
  what.time = time;
  what.at_equilibrium = at_equilibrium;
  what.matrices = matrices;
  std::shared_ptr<ModesOf> found;
  try {
    const py::gil_scoped_release unlocked;
    found = std::make_shared<ModesOf>(ModesOf{scenario::find_modes(s, what, o), folder});
  } catch (const record::NoState&) {
    watch.raise_if_stopped(py::none());
    throw;
  }
  watch.look_for_signals();
  watch.raise_if_stopped(py::none());
  return found;
}

/// Runs a study in a separate thread, which does not call Python, and watches for Ctrl-C in the meantime.
study::StudyResult watched_study(const study::Study& s, const std::string& text, study::StudyOptions o) {
  Watch watch{py::none()};
  o.execute.interrupt = watch.flag();
  auto result = std::async(std::launch::async, [&] { return study::run_study(s, text, o); });
  {
    const py::gil_scoped_release unlocked;
    while (result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) watch.look_for_signals();
  }
  study::StudyResult found = result.get();
  watch.raise_if_stopped(py::none());
  return found;
}

std::vector<py::ssize_t> shape_of(const record::Series& series) {
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(series.frames())};
  shape.insert(shape.end(), series.shape.begin(), series.shape.end());
  return shape;
}

py::array series_view(const std::shared_ptr<const void>& owner, const record::Series& series) {
  return view(series.values.data(), shape_of(series), owner);
}

std::vector<std::string> names_of(StoredRun& r) {
  std::vector<std::string> names;
  for (const auto& entry : r.run.all) names.push_back(entry.first);
  return names;
}

std::shared_ptr<StoredRun> open_run(const std::string& folder) {
  record::StoredResults found = record::read_run(folder);
  auto result = std::make_shared<StoredRun>();
  result->run.all = std::move(found.series);
  result->summary = std::move(found.summary);
  result->folder = folder;
  return result;
}

template <class Get>
py::array numbers(const record::ModesRun& r, const Get& get) {
  py::array_t<double> out(static_cast<py::ssize_t>(r.modes.modes.size()));
  for (std::size_t k = 0; k < r.modes.modes.size(); ++k) out.mutable_data()[k] = get(r.modes.modes[k]);
  return out;
}

void bind_modes(py::module_& m) {
  py::class_<ModesOf, std::shared_ptr<ModesOf>>(m, "Modes")
      .def_property_readonly("omega",
                             [](const ModesOf& r) { return numbers(r.run, [](const auto& x) { return x.omega(); }); })
      .def_property_readonly(
          "frequency", [](const ModesOf& r) { return numbers(r.run, [](const auto& x) { return x.frequency(); }); })
      .def_property_readonly("damping",
                             [](const ModesOf& r) { return numbers(r.run, [](const auto& x) { return x.damping(); }); })
      .def_property_readonly("eigenvalue",
                             [](const ModesOf& r) {
                               std::vector<std::complex<double>> s;
                               for (const auto& x : r.run.modes.modes) s.push_back(x.s);
                               return py::array_t<std::complex<double>>(static_cast<py::ssize_t>(s.size()), s.data());
                             })
      .def_property_readonly("kind",
                             [](const ModesOf& r) {
                               std::vector<std::string> kinds;
                               for (const auto& x : r.run.modes.modes) kinds.emplace_back(analysis::name(x.kind));
                               return kinds;
                             })
      .def_property_readonly("names",
                             [](const ModesOf& r) {
                               std::vector<std::string> all;
                               for (const auto& x : r.run.modes.modes) all.push_back(x.name);
                               return all;
                             })
      .def_property_readonly("remark", [](const ModesOf& r) { return r.run.modes.remark; })
      .def_property_readonly("state", [](const ModesOf& r) { return MethodState{r.run.state}; })
      .def_property_readonly("folder", [](const ModesOf& r) { return r.folder; })
      .def("shape_names",
           [](const ModesOf& r) {
             std::vector<std::string> all;
             for (const auto& entry : r.run.shapes) all.push_back(entry.first);
             return all;
           })
      .def("shape", [](const std::shared_ptr<ModesOf>& r, const std::string& name) {
        const auto found = r->run.shapes.find(name);
        if (found == r->run.shapes.end()) throw py::key_error("there is no shape '" + name + "'");
        return series_view(r, found->second);
      });
}

}  // namespace

void bind_run(py::module_& m) {
  py::class_<Scenario, std::shared_ptr<Scenario>>(m, "Scenario")
      .def("simulate", simulate)
      .def("follow_path", follow_path)
      .def("modes", find_modes)
      .def("toml", [](const Scenario& s) { return scenario::to_toml(s); })
      .def("words", [](Scenario& s) { return scenario::build(s).description(); })
      .def("describe",
           [](Scenario& s) {
             const py::gil_scoped_release unlocked;
             return scenario::describe(s);
           })
      .def("prepare_controllers", [](Scenario& s) {
        const model::BuiltModel& built = scenario::build(s);
        Watchers(built).prepare(built.start());
      });
  py::class_<StoredRun, std::shared_ptr<StoredRun>>(m, "StoredRun")
      .def(py::init(&open_run))
      .def_property_readonly("names", names_of)
      .def("series",
           [](const std::shared_ptr<StoredRun>& r, const std::string& name) {
             try {
               return series_view(r, r->run.series(name));
             } catch (const std::out_of_range& error) {
               throw py::key_error(error.what());
             }
           })
      .def_property_readonly("summary", [](const StoredRun& r) { return r.summary; })
      .def_property_readonly("message", [](const StoredRun& r) { return r.run.message; })
      .def_property_readonly("outcome",
                             [](const StoredRun& r) {
                               static constexpr const char* words[] = {"done", "stopped", "interrupted"};
                               return words[static_cast<int>(r.run.outcome)];
                             })
      .def_property_readonly("final", [](const StoredRun& r) { return MethodState{r.run.final}; })
      .def_property(
          "folder", [](const StoredRun& r) { return r.folder.string(); },
          [](StoredRun& r, const std::string& folder) { r.folder = folder; })
      .def("write", [](StoredRun& r, const std::string& folder) {
        record::write_run(folder, r.run);
        r.folder = folder;
      });
  bind_modes(m);
  m.def("write_report",
        [](const std::string& page, const std::vector<std::string>& folders, const std::string& beside) {
          path pattern = record::report_template();
          if (pattern.empty() && std::filesystem::exists(beside)) pattern = beside;
          if (pattern.empty())
            throw record::FileTrouble("report-template.html is missing: the page was not bundled with this build");
          record::write_report(page, pattern, std::vector<path>(folders.begin(), folders.end()));
        });
  m.def("run_study",
        [](const std::string& file_or_name, const std::string& folder, int jobs, bool short_form, bool force) {
          study::Study s = study::read_study(file_or_name);
          if (short_form) s = study::shortened(s);
          const auto text = config::input_text(file_or_name);
          const study::BuiltinStudy* builtin = study::find_builtin(file_or_name);
          study::StudyOptions o;
          o.folder = folder;
          o.force = force;
          o.execute.jobs = jobs;
          const auto result = watched_study(s, text ? *text : builtin ? std::string(builtin->text) : "", o);
          return result.outcome == study::StudyOutcome::done;
        });
}

}  // namespace filum::python
