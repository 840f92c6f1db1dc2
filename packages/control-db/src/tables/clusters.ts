import type { Generated } from 'kysely'
import type { Stamp } from './identity.ts'

export interface ClusterTables {
  clusters: {
    id: Generated<number>
    name: string
    /** Sealed; null for cluster 1. */
    address: string | null
    /** Sealed; of a server that follows it. */
    replica: string | null
    capacity: number | null
    state: Generated<'open' | 'full' | 'draining'>
    created_at: Stamp
  }
}
