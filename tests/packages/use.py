# SPDX-License-Identifier: MIT
# The run of deb_test.sh from Python: prints the hash of the terrain.
import gully

heights = gully.generate("mountains", width=48, height=32)
world = gully.World(heights, cell=(10, 10))
gully.Sim(world, gully.Settings("pipe", **{"rain.rate": 1e-3})).step(20)
print(world.hash("terrain"))
