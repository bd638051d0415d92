#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tools/bursar/sweep_output.hpp"
#include "tools/command_line/command.hpp"
#include "tools/sweep/merge_sweeps.hpp"

namespace bursar { inline namespace tools {

void add_merge_command(Command program) {
    struct MergeOptions {
        std::vector<std::string> from;
        std::string to;
        SweepOutput output;
    };
    Command command =
        program.add_subcommand("merge", "put the parts of a sweep together (sweep --shard)");
    const auto options = std::make_shared<MergeOptions>();
    command.add_option("DIR", options->from, "folders of `bursar sweep --out`").required();
    command.add_option("--out", options->to, "folder of the whole sweep")
        .required()
        .check(not_empty())
        .type_name("DIR");
    options->output.add_to(command);
    command.callback([options] {
        const SweepQuestion asked = options->output.question();
        const std::vector<std::filesystem::path> from{options->from.begin(), options->from.end()};
        const SweepTable table = merge_sweeps(from, options->to, asked);
        options->output.show(table, asked, options->to, table.num_planned, {});
    });
}

}} // namespace bursar::tools
