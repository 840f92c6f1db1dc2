import pg from 'pg'

export interface Databases {
  readonly accountId: number
  readonly workspaceId: number
  control<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  data<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
}

const TRIES = 600

/** Retries until Postgres answers, so statements must be repeatable. */
export function openPatientPools(url: string, max = 8) {
  const pools = new Map<string, pg.Pool>()
  const getPool = (database: string) => {
    const known = pools.get(database)
    if (known) return known
    const pool = new pg.Pool({
      connectionString: Object.assign(new URL(url), { pathname: `/${database}` }).href,
      max,
      ...(/^w_[0-9a-f]{16}$/.test(database) && { options: `-c role=${database}_own` }),
    })
    pool.on('error', () => undefined)
    pools.set(database, pool)
    return pool
  }
  const ask = async <R extends pg.QueryResultRow>(database: string, text: string, values: unknown[] = []) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return (await getPool(database).query<R>(text, values)).rows
      } catch (error) {
        const { code = '' } = error as { code?: string }
        const isLost = !/^[0-9A-Z]{5}$/.test(code) || /^(57P|08|53|25006)/.test(code)
        if (!isLost || tries === TRIES) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }
  const close = async () => {
    for (const pool of pools.values()) await pool.end().catch(() => undefined)
  }
  return Object.assign(ask, { close })
}
