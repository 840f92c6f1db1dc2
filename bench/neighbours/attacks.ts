import type { Cluster } from '@trellis/workspace-db/cluster'
import type { TestAccess, TestLogin } from '@trellis/workspace-db/roles/testing'
import { type Session, withSession } from '@trellis/workspace-db/session'
import type { WorkspaceDatabase } from '@trellis/workspace-db/provision'

interface Attacker {
  readonly cluster: Cluster
  readonly workspace: WorkspaceDatabase
  readonly own: Pick<TestAccess, 'connect'>
  readonly logins: readonly TestLogin[]
  readonly isOver: () => boolean
  readonly note: (outcome: string) => void
}

export type AttackName = 'disk' | 'memory' | 'connections' | 'cpu' | 'locks'
type Attack = (attacker: Attacker) => Promise<unknown>

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const STATEMENT_MS = 60_000
const GROW = 'as select repeat(md5(generate_series(1, 100000000)::text), 60) as t'
const SORT =
  'select count(*) from (select repeat(md5(n::text), 100) as t from generate_series(1, 2000000) n order by t) s'
const BURN = 'select count(*) from generate_series(1, 1000000) a, generate_series(1, 100000) b'

const getErrorCode = (error: unknown) => (error as { code?: string }).code ?? 'lost'
const times = (count: number, work: (at: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

async function keepTrying({ isOver, note }: Attacker, work: () => Promise<unknown>): Promise<void> {
  while (!isOver()) {
    note(await work().then(() => 'done', getErrorCode))
    await sleep(20)
  }
}

const inSession = ({ cluster, workspace }: Attacker, work: (session: Session) => Promise<unknown>) =>
  withSession(cluster, { ...workspace, role: 'rw', limits: { statementMs: STATEMENT_MS } }, work)

async function asTool({ own, logins, isOver }: Attacker, at: number, texts: readonly string[]): Promise<void> {
  const login = logins[at % logins.length]
  if (!login) throw new Error('There is no login to attack with.')
  const client = await own.connect(login)
  const stop = setInterval(() => isOver() && void client.end(), 100)
  try {
    for (const text of texts) await client.query(text)
  } finally {
    clearInterval(stop)
    await client.end()
  }
}

export const ATTACKS: Record<AttackName, Attack> = {
  /** One writes as much as it can; the other overrides the write stop. */
  disk: (attacker) =>
    times(2, (at) =>
      keepTrying(attacker, () =>
        inSession(attacker, async (session) => {
          if (at === 1) await session.query({ text: 'begin read write' })
          await session.query({ text: `create table grown_${at} ${GROW}` })
        }),
      ),
    ),
  memory: (attacker) =>
    times(4, (at) => keepTrying(attacker, () => asTool(attacker, at, ["set work_mem = '8GB'", SORT]))),
  connections: (attacker) =>
    times(100, (at) =>
      keepTrying(attacker, async () => {
        const login = attacker.logins[at % attacker.logins.length]
        if (!login) return
        const client = await attacker.own.connect(login)
        while (!attacker.isOver()) await sleep(100)
        await client.end()
      }),
    ),
  cpu: (attacker) =>
    Promise.all([
      times(16, (at) => keepTrying(attacker, () => asTool(attacker, at, ['set statement_timeout = 0', BURN]))),
      times(4, () => keepTrying(attacker, () => inSession(attacker, (session) => session.query({ text: BURN })))),
    ]),
  locks: (attacker) =>
    Promise.all([
      keepTrying(attacker, () =>
        inSession(attacker, async (session) => {
          await session.query({ text: 'create table if not exists held (n int)' })
          await session.query({ text: 'begin' })
          await session.query({ text: 'lock table held' })
          while (!attacker.isOver()) await sleep(100)
        }),
      ),
      times(8, (at) => keepTrying(attacker, () => asTool(attacker, at, ['select * from data.held']))),
      keepTrying(attacker, () =>
        inSession(attacker, (session) =>
          session.query({
            text: "do $$ begin for n in 1..200000 loop execute format('create table many_%s (n int)', n); end loop; end $$",
          }),
        ),
      ),
    ]),
}
