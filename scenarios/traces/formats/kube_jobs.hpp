#pragma once

#include <vector>

#include "scenarios/traces/formats/kube_objects.hpp"

namespace bursar { inline namespace scenarios {

class TraceBuilder;

/// Makes jobs of the objects of a cluster: gangs of the pods of one owner that ran at one time,
/// pods of their own, and Jobs whose pods are gone. What is none of them is left out.
void add_kube_jobs(const std::vector<KubeObject>& objects, TraceBuilder& trace);

}} // namespace bursar::scenarios
