import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendSignal } from '../../packages/embedded/src/postgres/process-table.ts'
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
  // A run that is broken off gets no chance to wait for the server's end.
  const abandon = () => {
    sendSignal(server.pid, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', abandon)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(143))
  return async () => {
    process.off('exit', abandon)
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
