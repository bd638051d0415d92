#pragma once

#include <istream>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace bursar::test {

/// The keys with rows on the page of the scenario format. By the path of a mapping
/// ("workload.trace", "" for the top): the keys in the first column of its table. By the path of
/// each key: the words in backquotes in its row, where small mappings name their keys.
///
/// A table is about the path in the heading above it. If the text before the table begins with a
/// key in backquotes, it is about that key.
class FormatPage {
  public:
    explicit FormatPage(std::istream& page) {
        std::string line;
        bool begins_text = true;
        while (std::getline(page, line)) {
            if (line.starts_with("#"))
                begin_section(line);
            else if (line.starts_with("| `"))
                add_row(line);
            else if (begins_text && !line.empty() && line.front() != '|')
                table_ = line.front() == '`'
                             ? joined(section_, line.substr(1, line.find('`', 1) - 1))
                             : section_;
            begins_text = line.empty();
        }
    }

    /// Whether `key` of the mapping at `path` has a row, or a word in that mapping's row.
    [[nodiscard]] bool has(const std::string& path, const std::string& key) const {
        const auto words = words_of_row_.find(path);
        return rows_.contains(joined(path, key)) ||
               (words != words_of_row_.end() && words->second.contains(key));
    }

  private:
    static std::string joined(const std::string& path, const std::string& key) {
        return path.empty() ? key : path + '.' + key;
    }

    static std::set<std::string> quoted_words(std::string_view text) {
        std::set<std::string> words;
        for (std::size_t at = 0; (at = text.find('`', at)) != text.npos;) {
            const std::size_t end = std::min(text.find('`', at + 1), text.size() - 1);
            words.emplace(text.substr(at + 1, end - at - 1));
            at = end + 1;
        }
        return words;
    }

    void begin_section(const std::string& heading) {
        section_ = heading.substr(heading.find(' ') + 1);
        if (section_ == "Top level" || section_.find(' ') != std::string::npos)
            section_.clear(); // rows with full paths
        if (const std::size_t list = section_.find("[]"); list != std::string::npos)
            section_.erase(list, 2);
        table_ = section_;
    }

    void add_row(const std::string& line) {
        const std::size_t end = line.find(" | ");
        const std::string_view row{line};
        for (const std::string& key : quoted_words(row.substr(0, end))) {
            rows_.insert(joined(table_, key));
            words_of_row_[joined(table_, key)] = quoted_words(row.substr(end));
        }
    }

    std::string section_;
    std::string table_;
    std::set<std::string> rows_;
    std::map<std::string, std::set<std::string>> words_of_row_;
};

} // namespace bursar::test
