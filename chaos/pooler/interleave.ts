import { type AnyDb, type ControlDb, openControlDb, transaction } from '@trellis/control-db/database'
import { type Kysely, sql } from 'kysely'

const ROWS_EACH = 5

export async function createAccounts(url: string, count: number): Promise<number[]> {
  const control = openControlDb({ url, max: 1 })
  try {
    const { rows } = await control.pool.query<{ id: number }>(
      `with made as (insert into accounts (trellis_code, name, account_type)
         select 'pooler' || n, 'Pooler', 'team' from generate_series(1, $1::int) n returning id),
       places as (insert into workspaces (account_id, trellis_code, name, workspace_address)
         select id, 'p' || id || 'x' || n, 'Place', 'place' || n from made, generate_series(1, $2::int) n)
       select id from made order by id`,
      [count, ROWS_EACH],
    )
    return rows.map(({ id }) => id)
  } finally {
    await control.close()
  }
}

interface Answer {
  readonly account_id: number
  readonly pid: number
}

const read = (db: AnyDb) =>
  sql<Answer>`select account_id, pg_backend_pid() as pid from workspaces`.execute(db as Kysely<unknown>)
const readWithValue = (db: AnyDb) =>
  sql<Answer>`select account_id, pg_backend_pid() as pid from workspaces where name <> ${'x'}`.execute(
    db as Kysely<unknown>,
  )

interface Kind {
  readonly isPlatform: boolean
  read(control: ControlDb, account: number): Promise<readonly Answer[]>
}

const NAMED = {
  name: 'workspaces-of-all',
  text: 'select account_id, pg_backend_pid() as pid from workspaces where name <> $1',
  values: ['x'],
}

const KINDS: Record<string, Kind> = {
  'statement with values': {
    isPlatform: false,
    read: async (control, account) => (await readWithValue(control.forAccount(account))).rows,
  },
  'statement without values': {
    isPlatform: false,
    read: async (control, account) => (await read(control.forAccount(account))).rows,
  },
  'transaction of two statements': {
    isPlatform: false,
    read: (control, account) =>
      transaction({ db: control.forAccount(account) as AnyDb }, async ({ db }) => {
        await readWithValue(db)
        return (await read(db)).rows
      }),
  },
  'rolled back, then a statement': {
    isPlatform: false,
    read: async (control, account) => {
      const db = control.forAccount(account) as AnyDb
      await transaction({ db }, (ctx) => sql`select 1 / 0 from workspaces`.execute(ctx.db as Kysely<unknown>)).catch(
        () => undefined,
      )
      return (await readWithValue(db)).rows
    },
  },
  'platform, statement': { isPlatform: true, read: async (control) => (await readWithValue(control.db)).rows },
  'platform, named statement of a call': {
    isPlatform: true,
    read: async (control, account) => (await control.inTurn(String(account), 'caller').query<Answer>(NAMED)).rows,
  },
  'platform, transaction': {
    isPlatform: true,
    read: (control) => transaction({ db: control.db as AnyDb }, async ({ db }) => (await readWithValue(db)).rows),
  },
}

interface Interleaved {
  readonly answers: number
  readonly kinds: Map<string, number>
  readonly mixed: string[]
  readonly failed: string[]
  readonly sessions: number
}

const AT_ONCE = 60

export async function useInterleaved(
  controls: readonly ControlDb[],
  { accounts, statements }: { accounts: readonly number[]; statements: number },
): Promise<Interleaved> {
  const kinds = new Map<string, number>()
  const sessions = new Set<number>()
  const [mixed, failed]: [string[], string[]] = [[], []]
  const names = Object.keys(KINDS)
  let next = 0

  async function take(at: number): Promise<void> {
    const name = names[at % names.length] as string
    const kind = KINDS[name] as Kind
    const account = accounts[Math.floor(at / controls.length) % accounts.length] as number
    const expected = (kind.isPlatform ? accounts.length : 1) * ROWS_EACH
    try {
      const rows = await kind.read(controls[at % controls.length] as ControlDb, account)
      for (const { pid } of rows) sessions.add(pid)
      const foreign = rows.filter((row) => !kind.isPlatform && row.account_id !== account)
      if (foreign.length > 0) mixed.push(`${name}: account ${account} saw ${foreign.length} rows of others`)
      else if (rows.length !== expected)
        mixed.push(`${name}: account ${account} saw ${rows.length} of ${expected} rows`)
      kinds.set(name, (kinds.get(name) ?? 0) + 1)
    } catch (error) {
      failed.push(`${name}: ${(error as Error).message}`)
    }
  }

  const work = async () => {
    while (next < statements) await take(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return {
    answers: [...kinds.values()].reduce((sum, count) => sum + count, 0),
    kinds,
    mixed,
    failed,
    sessions: sessions.size,
  }
}
