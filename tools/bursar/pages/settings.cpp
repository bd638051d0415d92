#include <algorithm>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tools/bursar/pages/pages.hpp"

namespace bursar { inline namespace tools {
namespace {

using Json = nlohmann::ordered_json;

class SettingsReader {
  public:
    /// Adds the settings at and below `path`.
    void read(const Json& schema, const std::string& path) {
        const std::string above = path.empty() ? path : path + '.';
        const bool has_parts =
            schema.contains("properties") || schema.contains("items") || takes_any_key(schema);
        if (schema.contains("properties"))
            for (const auto& [key, value] : schema["properties"].items())
                read(value, above + key);
        if (takes_any_key(schema))
            read(schema["additionalProperties"], above + "*");
        if (schema.contains("items"))
            read(schema["items"], above + "*");
        if (schema.contains("anyOf"))
            for (const Json& form : schema["anyOf"])
                read(form, path);
        else if (!has_parts)
            add(schema, path);
    }
    std::vector<Setting> take() { return std::move(settings_); }

  private:
    static bool takes_any_key(const Json& schema) {
        return schema.contains("additionalProperties") &&
               schema["additionalProperties"].is_object();
    }

    /// Whether a value needs no quotes in a shell, and is no example of a quantity ("40 USD/h").
    static bool is_name(std::string_view value) {
        const auto is_letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
        return !value.empty() && is_letter(value.front()) &&
               std::ranges::all_of(value, [&](char c) {
                   return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
                          c == '_';
               });
    }
    static bool contains(const std::vector<std::string>& names, const std::string& name) {
        return std::ranges::find(names, name) != names.end();
    }

    void add(const Json& schema, const std::string& path) {
        auto found = std::ranges::find(settings_, path, &Setting::path);
        if (found == settings_.end())
            found = settings_.insert(found, Setting{path, {}});
        for (const char* keyword : {"enum", "examples"})
            for (const Json& value : schema.value(keyword, Json::array()))
                if (value.is_string() && is_name(value.get<std::string>()) &&
                    !contains(found->values, value.get<std::string>()))
                    found->values.push_back(value.get<std::string>());
        if (schema.value("type", Json{}) == "boolean")
            for (const char* value : {"true", "false"})
                if (!contains(found->values, value))
                    found->values.emplace_back(value);
    }

    std::vector<Setting> settings_;
};

} // namespace

std::vector<Setting> settings_of(const std::string& schema) {
    SettingsReader reader;
    reader.read(Json::parse(schema), {});
    return reader.take();
}

std::string setting_paths(std::span<const Setting> settings) {
    std::string paths;
    for (const Setting& setting : settings)
        if (setting.path.find('*') == std::string::npos)
            paths += setting.path + "= ";
    return paths;
}

std::string setting_values(std::span<const Setting> settings,
                           fmt::format_string<const std::string&, std::string> form) {
    std::string lines;
    for (const Setting& setting : settings)
        if (!setting.values.empty())
            lines +=
                fmt::format(form, setting.path, fmt::format("{}", fmt::join(setting.values, " ")));
    return lines;
}

}} // namespace bursar::tools
