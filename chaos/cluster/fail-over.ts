import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from '../dice.ts'
import type { Cluster } from './start-cluster.ts'
import type { ClusterNode } from './start-node.ts'

/** Each fault returns a function that repairs it. */
const KINDS = {
  machine: async ({ leader }: Failing) => {
    await leader.kill()
    return async () => leader.start()
  },
  postgres: async ({ leader }: Failing) => {
    leader.killPostgres()
    return async () => undefined
  },
  switchover: async ({ cluster }: Failing) => {
    await cluster.switchOver()
    return async () => undefined
  },
  frozen: async ({ leader, dice }: Failing) => {
    const thaw = leader.freeze()
    // The old primary wakes up and briefly believes to be the only one.
    return async () => {
      await sleep(dice.between(500, 5000))
      thaw()
    }
  },
} satisfies Record<string, (failing: Failing) => Promise<() => Promise<void>>>

export const FAILOVER_KINDS = Object.keys(KINDS) as FailoverKind[]
export type FailoverKind = keyof typeof KINDS

interface Failing {
  readonly cluster: Cluster
  readonly leader: ClusterNode
  readonly dice: Dice
}

export interface Failover {
  readonly kind: FailoverKind
  readonly failoverMs: number
  readonly primarySince: number
  bringBack(): Promise<void>
}

const WHOLE_TIMEOUT_MS = 120_000
const FAILOVER_TIMEOUT_MS = 90_000
const POLL_MS = 20

export async function failOver(cluster: Cluster, kind: FailoverKind, dice: Dice): Promise<Failover> {
  const leader = await cluster.untilWhole(WHOLE_TIMEOUT_MS)
  const standby = cluster.nodes.find((node) => node !== leader) as ClusterNode
  const began = Date.now()
  const bringBack = await KINDS[kind]({ cluster, leader, dice })
  while (!(await standby.isPrimary())) {
    if (Date.now() - began > FAILOVER_TIMEOUT_MS) throw new Error(`No new primary after the ${kind} failover.`)
    await sleep(POLL_MS)
  }
  const primarySince = Date.now()
  return { kind, failoverMs: primarySince - began, primarySince, bringBack }
}
