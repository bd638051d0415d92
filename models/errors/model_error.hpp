#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace bursar { inline namespace models {

/// An impossible input of a model: heads that do not divide, a precision that the GPU lacks, a
/// negative size. The caller adds the place (a key of a scenario, an option of the command line, a
/// line of a file).
class ModelError : public std::runtime_error {
  public:
    /// parameter: the input at fault, by the name users give it ("tensor", "micro_batch").
    /// problem: what is wrong with it. remedy: a valid alternative; may be empty.
    ModelError(std::string parameter, const std::string& problem, std::string remedy)
        : std::runtime_error{parameter + ": " + problem + (remedy.empty() ? "" : "; " + remedy)},
          parameter_{std::move(parameter)}, problem_{problem}, remedy_{std::move(remedy)} {}

    [[nodiscard]] const std::string& parameter() const { return parameter_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] const std::string& remedy() const { return remedy_; }

  private:
    std::string parameter_;
    std::string problem_;
    std::string remedy_;
};

}} // namespace bursar::models
