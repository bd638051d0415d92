#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/keys/scenario_keys.hpp"

#include "reports/files/write_files.hpp"

#include "tools/bursar/pages/pages.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/command_table.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/simulate/load_scenario.hpp"
#include "tools/simulate/version.hpp"

namespace bursar { inline namespace tools {
namespace {

std::string schema_text() {
    return fmt::format("{}\n", scenario_schema(known_names(), builtin_catalogue()));
}

namespace fs = std::filesystem;

FileContent page(const std::string& name, const std::string& text) {
    return {name, [text](TextSink& sink) { sink.put(text); }};
}

/// Writes each file into the folder where Debian's programs expect it.
void write_pages(const fs::path& share, const CommandEntry& program) {
    const std::string schema = schema_text();
    const std::vector<Setting> settings = settings_of(schema);
    std::vector<FileContent> manual;
    for (const CommandEntry* command : all_in(program))
        manual.push_back(page(page_name(*command) + ".1", man_page(*command, version)));
    write_files(share / "man" / "man1", manual, {});
    write_files(share / "bash-completion" / "completions",
                {page("bursar", bash_completion(program, settings))},
                {});
    write_files(share / "zsh" / "vendor-completions",
                {page("_bursar", zsh_completion(program, settings))},
                {});
    write_files(share / "fish" / "vendor_completions.d",
                {page("bursar.fish", fish_completion(program, settings))},
                {});
    write_files(share / "bursar", {page("bursar.schema.json", schema)}, {});
}

} // namespace

void add_pages_command(Command program) {
    Command command = program.add_subcommand(
        "pages", "write manual pages, completions and the schema into a share folder");
    command.hide();
    const auto folder = std::make_shared<std::string>();
    command.add_option("DIR", *folder, "the folder, such as /usr/share").required();
    command.callback([folder, program] { write_pages(*folder, program.entry()); });
}

void add_schema_command(Command program) {
    Command command = program.add_subcommand(
        "schema", "print the JSON Schema of scenario files, for editors and other programs");
    command.callback([] {
        StandardOutput out{ReadBy::programs};
        out.put(schema_text());
        out.flush();
    });
}

}} // namespace bursar::tools
