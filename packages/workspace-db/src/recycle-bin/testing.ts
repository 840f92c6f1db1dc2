import { randomBytes } from 'node:crypto'
import type { Cluster } from '../cluster.ts'
import { moveToBin } from './move-to-bin.ts'
import { purgeFromBin } from './purge-bin.ts'

export async function dropSchema(cluster: Cluster, { key, name }: { key: string; name: string }): Promise<void> {
  const binKey = randomBytes(8).toString('hex')
  await moveToBin(cluster, { key, binKey, schema: name, assertAgreed: () => undefined })
  await purgeFromBin(cluster, { key, binKey })
}
