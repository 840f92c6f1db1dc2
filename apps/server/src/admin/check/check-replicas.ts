import { listClusterAddresses } from '../clusters/cluster-addresses.ts'
import { findReplicaProblem } from '../clusters/read-system.ts'
import type { Check } from './finding.ts'

const check = 'read replicas'

/** Warnings, since the primary does the reading meanwhile. */
export const checkReplicas: Check = async (installation) => {
  const clusters = await listClusterAddresses(installation)
  const findings = clusters.map(async ({ name, url, replicaUrl }) => {
    if (replicaUrl === undefined) return []
    const problem = await findReplicaProblem({ url, replicaUrl }).catch(() => 'could not be compared with its primary')
    if (problem === undefined) return [{ check, status: 'ok' as const, detail: `cluster ${name}: follows the primary` }]
    const detail = `cluster ${name}: the replica ${problem}`
    return [{ check, status: 'warning' as const, detail, advice: 'The primary does the reading meanwhile.' }]
  })
  return (await Promise.all(findings)).flat()
}
