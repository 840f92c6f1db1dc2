import { type ChildProcess, fork } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
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
  // As root, Postgres runs as another user, who must be able to enter.
  await chmod(home, 0o711)
  const postgres = await startPostgres({ dataDir: join(home, 'postgres') })
  const children: ChildProcess[] = []
  try {
    const { appUrl } = await prepareControlDb({ adminUrl: postgres.url })
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    const api = await start(children, {
      file: 'api-server.ts',
      env: {
        TRELLIS_HOME: home,
        TRELLIS_PORT: String(port),
        TRELLIS_DATABASE_URL: appUrl,
        TRELLIS_CLUSTER_URL: postgres.url,
        TRELLIS_LOG_LEVEL: 'warn',
        NODE_ENV: 'production',
      },
    })
    const { token, sessionId, refresh } = await signInForBench(url, appUrl)
    const barePort = await findFreePort()
    const bareServer = await start(children, {
      file: 'bare-server.ts',
      args: [appUrl, String(barePort), sessionId],
      env: { NODE_ENV: 'production' },
    })
    const ours = { pid: api.pid as number, url: `${url}/auth/identity`, headers: { authorization: `Bearer ${token}` } }
    const bare = { pid: bareServer.pid as number, url: `http://127.0.0.1:${barePort}/identity` }
    const figures = [...(await compare(ours, bare)), ...(await hold(ours.url, { minutes, api, refresh }))]
    await report('api', figures)
  } finally {
    for (const child of children) child.kill()
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}

interface Program {
  file: string
  args?: string[]
  env: Record<string, string>
}

async function start(children: ChildProcess[], { file, args = [], env }: Program): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, file), args, { env: { ...process.env, ...env } })
  children.push(child)
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Error(`${file} did not start`)))
  })
  return child
}

interface Target {
  pid: number
  url: string
  headers?: Record<string, string>
}

/** Throughput depends on what else runs; CPU time per request does not. */
async function compare(ours: Target, bareTarget: Target): Promise<Figure[]> {
  console.log(`Full speed, 32 connections, ${ROUNDS} interleaved rounds …`)
  const rounds = { ours: [] as Round[], bare: [] as Round[] }
  for (const target of [ours, bareTarget]) await measure(target, 3)
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.bare.push(await measure(bareTarget, 6))
    rounds.ours.push(await measure(ours, 6))
  }
  const rate = {
    ours: median(rounds.ours.map((round) => round.rate)),
    bare: median(rounds.bare.map((round) => round.rate)),
  }
  const cpu = {
    ours: median(rounds.ours.map((round) => round.cpu)),
    bare: median(rounds.bare.map((round) => round.cpu)),
  }
  return [
    { what: 'bare Fastify route, same query', value: rate.bare, unit: 'requests/s' },
    { what: 'GET /auth/identity', value: rate.ours, unit: 'requests/s', peer: 'bare route' },
    {
      what: 'share of the bare route',
      value: rate.ours / rate.bare,
      unit: '×',
      limit: { value: 0.6, isAtMost: false },
    },
    { what: 'bare route, CPU a request', value: cpu.bare, unit: 'µs' },
    { what: 'GET /auth/identity, CPU a request', value: cpu.ours, unit: 'µs', peer: 'bare route' },
  ]
}

interface Round {
  rate: number
  cpu: number
}

async function measure({ pid, ...target }: Target, duration: number): Promise<Round> {
  const before = await cpuMicroseconds(pid)
  const result = await autocannon({ ...target, connections: 32, duration })
  return { rate: result.requests.average, cpu: ((await cpuMicroseconds(pid)) - before) / result.requests.total }
}

async function cpuMicroseconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** A token is valid for ten minutes, so the load runs in stretches. */
async function hold(
  url: string,
  about: { minutes: number; api: ChildProcess; refresh: () => Promise<string> },
): Promise<Figure[]> {
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
    {
      what: 'rate held',
      value: median(stretches.map((result) => result.requests.average)),
      unit: 'requests/s',
      limit: { value: RATE * 0.98, isAtMost: false },
    },
    { what: 'p50', value: median(stretches.map((result) => result.latency.p50)), unit: 'ms' },
    {
      what: 'p99, worst minute',
      value: Math.max(...stretches.map((result) => result.latency.p99)),
      unit: 'ms',
      limit: { value: 100, isAtMost: true },
    },
    { what: 'failed requests', value: failed, unit: '', limit: { value: 0, isAtMost: true } },
    { what: 'memory at the end', value: memory.at(-1) ?? Number.NaN, unit: 'MB' },
    {
      what: 'memory growth after the second minute',
      value: growth,
      unit: 'MB/min',
      limit: { value: 1, isAtMost: true },
    },
  ]
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}
