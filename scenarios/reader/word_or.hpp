#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/table.hpp"

namespace bursar { inline namespace scenarios {

/// A key that takes one word, which raises `flag` of T, or else what `rule` reads into `member`. A
/// text without a digit is taken for a word.
template <class T, class Member, ValueRule Rule>
Key<T> word_or(std::string name,
               std::string word,
               bool T::*flag,
               Member T::*member,
               Rule rule,
               std::string help) {
    return {{std::move(name), std::move(help), Presence::optional},
            [word, flag, member, rule](const Reader& at, T& value) {
                const Node& node = at.node();
                const bool is_word = node.kind == NodeKind::scalar && !node.text.empty() &&
                                     node.text.find_first_of("0123456789") == std::string::npos;
                if (is_word && node.text == word)
                    value.*flag = true;
                else if (is_word)
                    at.mistake(in_quotes(node.text) + " is neither a quantity nor " + word,
                               {},
                               suggestion(node.text, std::vector{word}));
                else if (auto read = rule.read(at))
                    value.*member = std::move(*read);
            },
            [word, rule] {
                return Schema{{"anyOf", {rule.schema(), {{"const", word}}}}};
            }};
}

}} // namespace bursar::scenarios
