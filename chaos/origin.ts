import { join } from 'node:path'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import pg from 'pg'

const SETTINGS = { wal_level: 'logical', max_connections: 60, shared_buffers: '32MB' }

/** A second server with logical replication, which may be killed too. */
export interface Origin {
  readonly settings: object
  /** Retries until the server answers, so statements must be repeatable. */
  ask<R extends pg.QueryResultRow>(text: string): Promise<R[]>
  crash(): Promise<void>
  stop(): Promise<void>
}

export async function startOrigin(home: string): Promise<Origin> {
  const dataDir = join(home, 'origin')
  let starting = startPostgres({ dataDir, settings: SETTINGS })
  const { url, port } = await starting
  const { username: user, password } = new URL(url)
  const address = { host: '127.0.0.1', port, database: 'postgres', user, password: decodeURIComponent(password) }
  const ask = async <R extends pg.QueryResultRow>(text: string): Promise<R[]> => {
    for (let tries = 1; ; tries += 1) {
      const client = new pg.Client(address)
      client.on('error', () => undefined)
      try {
        await client.connect()
        return (await client.query<R>(text)).rows
      } catch (error) {
        const { code = '' } = error as { code?: string }
        if ((/^[0-9A-Z]{5}$/.test(code) && !/^(57P|08|53)/.test(code)) || tries === 600) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      } finally {
        await client.end().catch(() => undefined)
      }
    }
  }
  return {
    settings: { connection: { ...address, tls: 'disable' } },
    ask,
    async crash() {
      process.kill((await starting).pid, 'SIGQUIT')
      starting = startPostgres({ dataDir, port, settings: SETTINGS })
      await starting
    },
    stop: async () => await (await starting).stop(),
  }
}
