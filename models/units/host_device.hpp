#pragma once

/// Marks a function that the same source compiles for the host and, under nvcc, for the device.
#ifdef __CUDACC__
#define BURSAR_HD __host__ __device__
#else
#define BURSAR_HD
#endif
