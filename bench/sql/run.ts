import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { type ClusterWatch, watchCluster } from '../../apps/server/src/supervisor/watch/watch-cluster.ts'
import { type Figure, report } from '../report.ts'
import { measureBombs } from './bombs.ts'
import type { Bench } from './bench.ts'
import type { Place } from './client.ts'
import { measureFairness } from './fairness.ts'
import { measureExport, measureOverhead, measureStream } from './one-person.ts'
import { measurePeople } from './people.ts'

const PARTS: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  overhead: measureOverhead,
  stream: measureStream,
  export: measureExport,
  people: measurePeople,
  fairness: measureFairness,
  bombs: measureBombs,
}

export async function run(args: string[]): Promise<void> {
  const option = (name: string, otherwise: string) => args[args.indexOf(`--${name}`) + 1 || args.length] ?? otherwise
  const only = option('only', Object.keys(PARTS).join()).split(',')
  const options = {
    rows: Number(option('rows', '1000000')),
    rounds: Number(option('rounds', '3')),
    seconds: Number(option('seconds', '5')),
  }
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  // As root, Postgres runs as another user, who must be able to enter.
  await chmod(home, 0o711)
  const postgres = await startPostgres({
    dataDir: join(home, 'postgres'),
    settings: { max_wal_size: '4GB', synchronous_commit: 'off' },
  })
  const watch: ClusterWatch = watchCluster({
    server: () => postgres,
    limits: { memoryBytes: 1024 ** 3, disk: 0.95 },
    warn: () => undefined,
  })
  const server = fork(join(import.meta.dirname, 'server.ts'), [option('workspaces', '20'), option('people', '10')], {
    env: { ...process.env, TRELLIS_TEST_CLUSTER_URL: postgres.url },
    execArgv: ['--expose-gc', '--no-warnings'],
  })
  try {
    console.log('Making workspaces and people …')
    const { url, places } = await ask<{ url: string; places: [Place, ...Place[]] }>(server)
    const bench: Bench = {
      url,
      places,
      options,
      bareUrl: ({ database, login }, as) => {
        const { user, password } = login
        const own = as === 'workspace' && { username: user, password }
        return Object.assign(new URL(postgres.url), { pathname: `/${database}`, ...own }).href
      },
      peakDuring: async (work) => {
        await ask(server, 'reset')
        const value = await work()
        const { peak, base } = await ask<{ peak: number; base: number }>(server, 'read')
        return { value, peakMb: peak / 1024 ** 2, baseMb: base / 1024 ** 2 }
      },
    }
    const figures: Figure[] = []
    for (const part of only) figures.push(...((await PARTS[part]?.(bench)) ?? []))
    await report('sql', figures)
  } finally {
    server.kill()
    await watch.stop()
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}

async function ask<Answer>(server: ChildProcess, order?: string): Promise<Answer> {
  const stopped = new AbortController()
  try {
    if (order) server.send(order)
    const ended = once(server, 'exit', { signal: stopped.signal }).then(() => {
      throw new Error('The server of the bench ended.')
    })
    const [answer] = (await Promise.race([once(server, 'message', { signal: stopped.signal }), ended])) as [Answer]
    return answer
  } finally {
    stopped.abort()
  }
}
