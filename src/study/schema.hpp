/// Every key of a study file, once. User document: docs/guide/studies.md.
#pragma once

#include "words.hpp"

#include <filum/config/reader.hpp>

namespace filum::study {

using config::required;

template <class A>
void fields(A& a, Option& x) {
  a("label", x.label, required);
  a("set", x.set);
}

template <class A>
void fields(A& a, Vary& x) {
  a("name", x.name);
  a("key", x.key);
  a("values", x.values);
  a("options", x.options);
  a("zip", x.zip);
}

template <class A>
void fields(A& a, Reference& x) {
  a("set", x.set, required);
}

template <class A>
void fields(A& a, ModesTask& x) {
  a("count", x.count, config::positive);
  a("at", x.at);
}

template <class A>
void fields(A& a, Convergence& x) {
  a("versus", x.versus);
  a("quantities", x.quantities);
  a("norm", x.norm);
  a("from", x.from);
  a("below", x.below, config::positive);
  a("points", x.points, config::not_negative);
}

template <class A>
void fields(A& a, Series& x) {
  a("name", x.name, required);
  a("formula", x.formula, required);
  a("of", x.of);
  a("from_start", x.from_start);
  a("from", x.from);
}

template <class A>
void fields(A& a, Measure& x) {
  a("name", x.name, required);
  a("series", x.series, required);
  a("take", x.take);
  a("from", x.from);
  a("to", x.to);
}

template <class A>
void fields(A& a, Plot& x) {
  a("name", x.name, required);
  a("title", x.title);
  a("kind", x.kind);
  a("x_label", x.x_label);
  a("y_label", x.y_label);
  a("x_range", x.x_range);
  a("y_range", x.y_range);
  a("where", x.where);
  a("panel", x.panel);
  if (x.kind == PlotKind::shapes) {
    a("object", x.object, required);
    a("times", x.times, required);
    a("view", x.view);
    return;
  }
  a("x", x.x);
  a("y", x.y, required);
  a("y_names", x.y_names);
  a("x_axis", x.x_axis);
  a("y_axis", x.y_axis);
  if (x.kind == PlotKind::cases) {
    a("slopes", x.slopes);
    a("over", x.over);
  }
  if (x.kind == PlotKind::series) a("with_reference", x.with_reference);
}

template <class A>
void fields(A& a, Check& x) {
  a("claim", x.claim, required);
  a("value", x.value, required);
  a("where", x.where);
  a("over", x.over);
  a("between", x.between, required);
  a("between_short", x.between_short);
  a("of", x.of);
  a("left_out", x.left_out);
  a("left_out_short", x.left_out_short);
  a("full_only", x.full_only);
}

template <class A>
void fields(A& a, ShortForm& x) {
  a("set", x.set);
  a("vary", x.vary);
  a("reference", x.reference);
}

template <class A>
void fields(A& a, Study& x) {
  a("schema", x.schema, config::Rule{.required = true, .advice = "schema = 1 in the first line"});
  a("title", x.title);
  a("figure", x.figure);
  a("scenario", x.scenario, required);
  a("set", x.set);
  a("timing", x.timing);
  a("repeat", x.repeat, config::positive);
  a("modes", x.modes);
  a("vary", x.vary);
  a("reference", x.reference);
  a("convergence", x.convergence);
  a("series", x.series);
  a("measure", x.measures);
  a("plot", x.plots);
  a("check", x.checks);
  a("short", x.short_form);
}

}  // namespace filum::study
