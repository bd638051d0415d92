#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bursar { inline namespace scenarios {

/// GPUs of a job by its Resource_List.select, "2:ncpus=16:ngpus=4+1:ngpus=1": nine. Absent if
/// `text` is no such list, or has too many GPUs.
std::optional<std::int64_t> gpus_of_select(std::string_view text);

/// The same by Torque's Resource_List.nodes, "2:ppn=8:gpus=4+node7:gpus=1": nine.
std::optional<std::int64_t> gpus_of_nodes(std::string_view text);

/// MiB of a PBS size: "128gb", "4096mb", "16777216kb", "512b", "2tb", "1024" (bytes), "2gw" (words
/// of 8 bytes).
std::optional<std::int64_t> pbs_size_in_mib(std::string_view text);

}} // namespace bursar::scenarios
