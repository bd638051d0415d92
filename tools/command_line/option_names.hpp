#pragma once

#include <map>
#include <utility>

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// What completions offer for the values of a program's options, beside what its library keeps.
class OptionNames {
  public:
    struct Entry {
        NamesForm form{};
        Names names;
    };
    void set(const CLI::Option& option, Entry entry) { entries_[&option] = std::move(entry); }
    /// Null where nothing was said of the option.
    [[nodiscard]] const Entry* of(const CLI::Option& option) const {
        const auto found = entries_.find(&option);
        return found == entries_.end() ? nullptr : &found->second;
    }

  private:
    std::map<const CLI::Option*, Entry> entries_;
};

}} // namespace bursar::tools
