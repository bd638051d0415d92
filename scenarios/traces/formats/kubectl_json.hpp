#pragma once

#include <string_view>

#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {

/// What `kubectl get pods,jobs,events --all-namespaces --output=json` prints: a List, an array of
/// its items, or one object. Pods that are over are the jobs: from their containers' first start to
/// their last end, with the GPUs that they requested, by namespace. Pods of one owner that ran at
/// one time are one gang. A Job without pods in the file is read by its own times; events only fill
/// in starts and ends that pods do not say.
void read_kubectl_json(ByteSource& bytes, TraceBuilder& trace);

/// Is this the beginning of a JSON text with an API version in it?
bool begins_like_kubectl_json(std::string_view beginning);

inline constexpr TraceFormat kubectl_json_format{
    .name = "kubectl-json", .read = read_kubectl_json, .begins_like = begins_like_kubectl_json};

}} // namespace bursar::scenarios
