import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareControlDb } from '@trellis/control-db/prepare'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import autocannon, { type Result } from 'autocannon'
import { type Figure, median, report } from './report.ts'
import { signInForBench } from './sign-in.ts'

const ROUNDS = 3
const RATE = 300

export async function run(args: string[]): Promise<void> {
  const minutes = Number(args[args.indexOf('--minutes') + 1] ?? 10) || 10
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const postgres = await startPostgres({ dataDir: join(home, 'postgres') })
  const children: ChildProcess[] = []
  try {
    const { appUrl } = await prepareControlDb({ adminUrl: postgres.url })
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    const api = await start(children, 'api-server.ts', [], {
      TRELLIS_HOME: home,
      TRELLIS_PORT: String(port),
      TRELLIS_DATABASE_URL: appUrl,
      TRELLIS_LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
    })
    const { token, sessionId, refresh } = await signInForBench(url, appUrl)
    const barePort = await findFreePort()
    await start(children, 'bare-server.ts', [appUrl, String(barePort), sessionId], { NODE_ENV: 'production' })
    const ours = { url: `${url}/auth/identity`, headers: { authorization: `Bearer ${token}` } }
    const bare = { url: `http://127.0.0.1:${barePort}/identity` }
    const figures = [...(await compare(ours, bare)), ...(await hold(ours.url, { minutes, api, refresh }))]
    await report('api', figures)
  } finally {
    for (const child of children) child.kill()
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}

async function start(children: ChildProcess[], file: string, args: string[], env: Record<string, string>): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, file), args, { env: { ...process.env, ...env } })
  children.push(child)
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Error(`${file} did not start`)))
  })
  return child
}

type Target = { url: string; headers?: Record<string, string> }

async function compare(ours: Target, bare: Target): Promise<Figure[]> {
  console.log(`Full speed, 32 connections, ${ROUNDS} interleaved rounds …`)
  const rates = { ours: [] as number[], bare: [] as number[] }
  for (const target of [ours, bare]) await autocannon({ ...target, connections: 32, duration: 3 })
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.bare.push((await autocannon({ ...bare, connections: 32, duration: 6 })).requests.average)
    rates.ours.push((await autocannon({ ...ours, connections: 32, duration: 6 })).requests.average)
  }
  return [
    { what: 'bare Fastify route, same query', value: median(rates.bare), unit: 'requests/s' },
    { what: 'GET /auth/identity', value: median(rates.ours), unit: 'requests/s', peer: 'bare route' },
    { what: 'share of the bare route', value: median(rates.ours) / median(rates.bare), unit: '×', limit: { value: 0.6, isAtMost: false } },
  ]
}

/** The token lives ten minutes, so the load runs in stretches of a minute with a fresh one each. */
async function hold(url: string, about: { minutes: number; api: ChildProcess; refresh: () => Promise<string> }): Promise<Figure[]> {
  console.log(`${RATE} requests/s for ${about.minutes} minutes …`)
  const stretches: Result[] = []
  const memory: number[] = []
  for (let minute = 0; minute < about.minutes; minute += 1) {
    const headers = { authorization: `Bearer ${await about.refresh()}` }
    stretches.push(await autocannon({ url, headers, connections: 32, overallRate: RATE, duration: 60 }))
    memory.push(await residentMb(about.api.pid as number))
  }
  const settled = memory.slice(Math.min(2, memory.length - 1))
  const growth = settled.length > 1 ? ((settled.at(-1) as number) - (settled[0] as number)) / (settled.length - 1) : 0
  const failed = stretches.reduce((sum, result) => sum + result.errors + result.non2xx, 0)
  return [
    { what: 'rate held', value: median(stretches.map((result) => result.requests.average)), unit: 'requests/s', limit: { value: RATE * 0.98, isAtMost: false } },
    { what: 'p50', value: median(stretches.map((result) => result.latency.p50)), unit: 'ms' },
    { what: 'p99, worst minute', value: Math.max(...stretches.map((result) => result.latency.p99)), unit: 'ms', limit: { value: 100, isAtMost: true } },
    { what: 'failed requests', value: failed, unit: '', limit: { value: 0, isAtMost: true } },
    { what: 'memory at the end', value: memory.at(-1) ?? Number.NaN, unit: 'MB' },
    { what: 'memory growth after the second minute', value: growth, unit: 'MB/min', limit: { value: 1, isAtMost: true } },
  ]
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}
