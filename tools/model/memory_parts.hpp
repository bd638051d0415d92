#pragma once

#include <string>

#include "models/training/memory/memory.hpp"

#include "reports/answer/answer.hpp"

namespace bursar { inline namespace tools {

/// The parts of a GPU's memory, under the key "memory", and whether they fit.
/// capacity: what may be used of it.
AnswerSection memory_section(const MemoryUse& use, ByteVolume capacity);

/// The figures of a stack that the parts are made with, each with its source.
AnswerSection overheads_section(const MemoryOverheads& overheads);

}} // namespace bursar::tools
