import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { lowerPriority } from '@trellis/embedded/postgres/process-load'
import { type Postgres, startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { type Cluster, openCluster } from '@trellis/workspace-db/cluster'
import { generateWorkspaceKey } from '@trellis/workspace-db/names'
import { type WorkspaceDatabase, provisionWorkspaceDatabase } from '@trellis/workspace-db/provision'
import { type TestAccess, type TestLogin, testAccess } from '@trellis/workspace-db/roles/testing'
import { withSession } from '@trellis/workspace-db/session'
import { type Figure, median, report } from '../report.ts'
import type { AttackName } from './attacks.ts'

const GIGABYTE = 1024 ** 3
const DISK = '768m'
const BUDGET_BYTES = GIGABYTE / 4
const MIN_FREE_BYTES = 8 * GIGABYTE
const MAX_RATIO = 3
/** Attacks against limits of the watch, which take effect with a delay. */
const BITING: readonly AttackName[] = ['disk', 'memory']
const BITE_MS = 45_000
const ALL: readonly AttackName[] = ['disk', 'memory', 'connections', 'cpu', 'locks']

/**
 * One workspace attacks each resource while its neighbour reads, writes and connects. Prints the neighbour's p99
 * relative to that right before.
 */
export async function run(args: string[]): Promise<void> {
  const option = (name: string, otherwise: string) => args[args.indexOf(`--${name}`) + 1 || args.length] ?? otherwise
  const rounds = Number(option('rounds', '3'))
  const seconds = Number(option('seconds', '6'))
  const only = option('only', ALL.join()).split(',')
  const attacks = ALL.filter((attack) => only.includes(attack) && (attack !== 'disk' || canMount()))
  const place = await openPlace()
  try {
    const figures: Figure[] = []
    for (const attack of attacks) figures.push(...(await measureAttack(place, attack, { rounds, seconds })))
    await report('neighbours', [...figures, ...(await countLosses(place))])
  } finally {
    await place.close()
  }
}

const canMount = () => process.platform === 'linux' && process.getuid?.() === 0

interface Place {
  readonly postgres: Postgres
  readonly cluster: Cluster
  readonly neighbour: WorkspaceDatabase
  readonly own: TestAccess
  readonly login: TestLogin
  readonly attacker: ChildProcess
  readonly lost: Promise<never>
  readonly state: { writes: number; restarts: number; told: number }
  close(): Promise<void>
}

async function openPlace(): Promise<Place> {
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const one of undo.splice(0).toReversed()) await one()
  }
  try {
    const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
    undo.push(() => rm(home, { recursive: true, force: true }))
    await chmod(home, 0o711)
    if (canMount()) {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=711`, 'trellis-bench', home])
      undo.push(() => execFileSync('umount', [home]))
    } else console.log('Only root can mount a small disk to fill: the disk attack is left out.')
    const state = { writes: 0, restarts: 0, told: 0 }
    const postgres = await startPostgres({ dataDir: join(home, 'postgres'), onExit: () => (state.restarts += 1) })
    undo.push(() => postgres.stop())
    const watch = startWatch(postgres, state)
    undo.push(() => watch.disconnect())
    const cluster = await openCluster({ adminUrl: postgres.url })
    undo.push(() => cluster.close())
    const key = generateWorkspaceKey()
    const neighbour = { ...(await provisionWorkspaceDatabase(cluster, { key })), key }
    await withSession(cluster, { ...neighbour, role: 'rw' }, async (session) => {
      await session.query({
        text: 'create table orders as select n as id, md5(n::text) as name from generate_series(1, 20000) n',
      })
      await session.query({ text: 'create unique index on orders (id)' })
      await session.query({ text: 'create table kept (n int primary key)' })
    })
    const ownTestAccess = await testAccess(cluster, neighbour)
    const login = await ownTestAccess.login('reader', 'data')
    // Lowest priority: in production the attacker's client runs on another machine.
    const attacker = fork(join(import.meta.dirname, 'attacker.ts'), [postgres.url], { detached: true })
    if (attacker.pid !== undefined) lowerPriority(attacker.pid, 19)
    undo.push(() => attacker.kill('SIGKILL'))
    const lost = new Promise<never>((_, reject) =>
      attacker.once('exit', () => reject(new Error('The attacker ended by itself.'))),
    )
    lost.catch(() => undefined)
    await Promise.race([new Promise((resolve) => attacker.once('message', resolve)), lost])
    return { postgres, cluster, neighbour, own: ownTestAccess, login, attacker, lost, state, close }
  } catch (error) {
    await close()
    throw error
  }
}

function startWatch({ pid, url, folder }: Postgres, state: { told: number }): ChildProcess {
  const watched = JSON.stringify({ pid, url, folder, memoryBytes: BUDGET_BYTES, disk: 0.9 })
  const watcher = fork(join(import.meta.dirname, 'watcher.ts'), [watched])
  watcher.on('message', () => (state.told += 1))
  return watcher
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN

/** A page of rows, a write, and an external connection, in turn. */
async function watchNeighbour({ cluster, neighbour, own, login, state }: Place, ms: number, hasBitten = () => true) {
  const took: number[] = []
  const failed: string[] = []
  const time = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work().catch((error: unknown) => failed.push((error as { code?: string }).code ?? String(error)))
    took.push(performance.now() - began)
  }
  const session = (role: 'ro' | 'rw', text: string) =>
    withSession(cluster, { ...neighbour, role, isConnectedAhead: true }, (openedSession) =>
      openedSession.query({ text }),
    )
  const write = async () => {
    await session('rw', `insert into kept values (${state.writes + 1})`)
    state.writes += 1
  }
  const began = Date.now()
  while (Date.now() < began + ms || (!hasBitten() && Date.now() < began + BITE_MS)) {
    await sleep(5)
    await time(() => session('ro', `select * from orders where id > ${took.length} order by id limit 100`))
    await time(write)
    await time(() => own.run(login, 'select count(*) from data.orders'))
  }
  return { p99: percentile(took, 0.99), p50: percentile(took, 0.5), count: took.length, failed }
}

async function measureAttack(
  place: Place,
  attack: AttackName,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Figure[]> {
  if (freemem() < MIN_FREE_BYTES)
    throw new Error('Less than 8 GB of memory are free: others on this machine would suffer.')
  console.log(`${attack}: ${rounds} rounds of ${seconds} s without and with the attack …`)
  const [quiet, attacked]: number[][] = [[], []]
  const failed: string[] = []
  const outcomes: string[] = []
  const toldBefore = place.state.told
  for (let round = 0; round < rounds; round += 1) {
    quiet?.push((await watchNeighbour(place, seconds * 1000)).p99)
    place.attacker.send({ attack })
    await sleep(500)
    const told = place.state.told
    const hasBitten = () => !BITING.includes(attack) || place.state.told > told
    const during = await watchNeighbour(place, seconds * 1000, hasBitten)
    attacked?.push(during.p99)
    failed.push(...during.failed)
    const ended = new Promise((resolve) => place.attacker.once('message', resolve))
    place.attacker.send({ stop: true })
    outcomes.push(JSON.stringify(await Promise.race([ended, place.lost])))
  }
  const stops = place.state.told - toldBefore
  console.log(`  what became of the attacker's attempts: ${outcomes.join(' ')}`)
  if (failed.length > 0) console.log(`  the neighbour's failures: ${failed.join(' ')}`)
  const [before, during] = [median(quiet ?? []), median(attacked ?? [])]
  const ratios = (attacked ?? []).map((p99, at) => p99 / (quiet?.[at] ?? Number.NaN))
  return [
    { what: `neighbour's p99 before the attack on ${attack}`, value: before, unit: 'ms' },
    { what: `neighbour's p99 during the attack on ${attack}`, value: during, unit: 'ms', peer: 'before' },
    {
      what: `attack on ${attack}: p99 against before`,
      value: median(ratios),
      unit: '×',
      limit: { value: MAX_RATIO, isAtMost: true },
    },
    {
      what: `attack on ${attack}: times the watch stopped it`,
      value: stops,
      unit: '',
      ...(BITING.includes(attack) && { limit: { value: 1, isAtMost: false } }),
    },
    {
      what: `attack on ${attack}: failed calls of the neighbour`,
      value: failed.length,
      unit: 'calls',
      limit: { value: 0, isAtMost: true },
    },
  ]
}

async function countLosses({ cluster, neighbour, postgres, state }: Place): Promise<Figure[]> {
  const { rows } = await withSession(cluster, { ...neighbour, role: 'ro' }, (session) =>
    session.query({ text: 'select count(*) from kept' }),
  )
  const log = await readFile(join(postgres.folder, 'postgres.log'), 'utf8')
  const crashes = [...log.matchAll(/was terminated by signal|PANIC/g)].length + state.restarts
  const none = { value: 0, isAtMost: true }
  return [
    { what: 'crashes of the server or a session', value: crashes, unit: '', limit: none },
    {
      what: 'written rows of the neighbour that were lost',
      value: state.writes - Number(rows[0]?.[0]),
      unit: 'rows',
      limit: none,
    },
  ]
}
