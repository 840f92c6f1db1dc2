import { afterAll } from 'vitest'
import { openCluster, type Cluster, type ClusterOptions } from './cluster.ts'
import { generateWorkspaceKey } from './names.ts'
import { provisionWorkspaceDatabase, type WorkspaceDatabase } from './provision.ts'
import { removeWorkspaceDatabase } from './remove.ts'
import { withSession, type Result } from './session.ts'
import type { SessionLimits, SessionRole } from './session/session-options.ts'

export function testClusterUrl(): string {
  const url = process.env['TRELLIS_TEST_CLUSTER_URL']
  if (!url) throw new Error('TRELLIS_TEST_CLUSTER_URL is not set: these tests need the cluster of the test run.')
  return url
}

export async function testCluster(options: Partial<ClusterOptions> = {}): Promise<Cluster> {
  const cluster = await openCluster({ adminUrl: testClusterUrl(), ...options })
  afterAll(() => cluster.close())
  return cluster
}

export interface TestWorkspace extends WorkspaceDatabase {
  readonly key: string
  run(role: SessionRole, text: string, limits?: Partial<SessionLimits>): Promise<Result>
  runAll(role: SessionRole, texts: readonly string[], limits?: Partial<SessionLimits>): Promise<Result>
}

export async function testWorkspace(cluster: Cluster): Promise<TestWorkspace> {
  const key = generateWorkspaceKey()
  const workspace = await provisionWorkspaceDatabase(cluster, { key })
  afterAll(() => removeWorkspaceDatabase(cluster, { key }))
  const { database, credentials } = workspace
  const runAll: TestWorkspace['runAll'] = (role, texts, limits = {}) =>
    withSession(cluster, { database, credentials, role, limits }, async (session) => {
      let result: Result | undefined
      for (const text of texts) result = await session.query({ text })
      if (!result) throw new Error('There was nothing to run.')
      return result
    })
  return { ...workspace, key, runAll, run: (role, text, limits) => runAll(role, [text], limits) }
}
