"""The sweep that the tests of tools/cluster spread."""

SCENARIO = """bursar: 1
name: small
workload: {synthetic: {like: philly, jobs: 100, gpus: 64}}
fleet:
  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 8, gpus_per_node: 8, price: 1 USD/gpu-h}
sweep:
  policy.queue: [fifo, sjf]
  fleet.p.nodes: 6..15:1
"""
