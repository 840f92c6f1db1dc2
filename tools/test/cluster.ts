import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../packages/embedded/src/postgres/start-postgres.ts'

/** One Postgres for the whole test run; its superuser address is in TRELLIS_TEST_CLUSTER_URL. */
export default async function startTestCluster(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TRELLIS_TEST_CLUSTER_URL']) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'trellis-test-'))
  const server = await startPostgres({
    dataDir: folder,
    // Nothing here outlives the run, so safety against a power cut only costs time.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '1GB' },
  })
  process.env['TRELLIS_TEST_CLUSTER_URL'] = server.url
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
