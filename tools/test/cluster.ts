import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendSignal } from '../../packages/embedded/src/postgres/process-table.ts'
import { startPostgres } from '../../packages/embedded/src/postgres/start-postgres.ts'

const SHARED_MEMORY = '/dev/shm'
const ENOUGH_MEMORY = 8 * 1024 ** 3

/** Tests make and drop thousands of files, which costs a disk's file system several times the time of tmpfs. */
function getRoot(): string {
  if (process.platform !== 'linux' || process.availableMemory() < ENOUGH_MEMORY) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY)
    return bavail * bsize < ENOUGH_MEMORY ? tmpdir() : SHARED_MEMORY
  } catch {
    return tmpdir()
  }
}

/** One Postgres for the whole test run, at TRELLIS_TEST_CLUSTER_URL. */
export default async function startTestCluster(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TRELLIS_TEST_CLUSTER_URL']) return undefined
  const folder = mkdtempSync(join(getRoot(), 'trellis-test-'))
  const server = await startPostgres({
    dataDir: folder,
    // Durability is not needed in tests.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '512MB' },
  })
  process.env['TRELLIS_TEST_CLUSTER_URL'] = server.url
  // An interrupted run cannot wait for the server to stop.
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
