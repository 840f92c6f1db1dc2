import { hostProbes } from './host.probes.ts'
import { neighbourProbes } from './neighbour.probes.ts'
import type { Probe } from './probe.ts'
import { roleProbes } from './role.probes.ts'

/** Run with every minor version of Postgres that is shipped. */
export const refusedProbes: readonly Probe[] = [...hostProbes, ...neighbourProbes, ...roleProbes]
