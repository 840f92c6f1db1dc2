import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '@trellis/embedded/postgres/start-postgres'
import pg from 'pg'
import { afterAll } from 'vitest'

export interface LogicalSource {
  settings(changes?: Record<string, unknown>): object
  sql(...statements: readonly string[]): Promise<string[][]>
  crash(): Promise<void>
}

export async function startLogicalSource(level = 'logical'): Promise<LogicalSource> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trellis-logical-'))
  // A killed process loses nothing without fsync; a commit is still written before it is confirmed.
  const noSync = { fsync: 'off', full_page_writes: 'off' }
  const settings = { wal_level: level, max_connections: 50, shared_buffers: '32MB', max_wal_senders: 20, ...noSync }
  let server: Postgres = await startPostgres({ dataDir, settings })
  const { port } = server
  afterAll(async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const { username: user, password } = new URL(server.url)
  const address = { host: '127.0.0.1', port, database: 'postgres', user, password: decodeURIComponent(password) }
  return {
    settings: (changes = {}) => ({ connection: { ...address, tls: 'disable', ...changes } }),
    async sql(...statements) {
      const client = new pg.Client(address)
      await client.connect()
      try {
        let rows: string[][] = []
        for (const text of statements) {
          const answers = [await client.query({ text, rowMode: 'array' })].flat()
          rows = (answers.at(-1)?.rows ?? []).map((row: (string | number | null)[]) =>
            row.map((value) => (value === null ? 'null' : String(value))),
          )
        }
        return rows
      } finally {
        await client.end()
      }
    },
    async crash() {
      process.kill(server.pid, 'SIGQUIT')
      server = await startPostgres({ dataDir, settings, port })
    },
  }
}
