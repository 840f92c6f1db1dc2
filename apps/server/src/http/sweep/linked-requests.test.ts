import { allEndpoints } from '@trellis/contract/all-endpoints'
import { type Endpoint, toEndpointUrl } from '@trellis/contract/core/endpoint'
import { ERRORS } from '@trellis/contract/core/errors'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCESS_TOKEN_SECONDS } from '../../platform/tokens.ts'
import { createLogger } from '../../platform/logger.ts'
import { type ArbitraryInput, hostileInput, hostileValue, shapedInput } from '../../testing/arbitrary-input.ts'
import { type FilledWorkspace, fillWorkspace } from '../../testing/filled-workspace.ts'
import { signInAs } from '../../testing/people.ts'
import { ValuePool, deletes } from './testing/value-pool.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { Answer, TestClient } from '../../testing/test-client.ts'

/** TRELLIS_FUZZ_REQUESTS=100000 goes on for long and prints what was reached. */
const REQUESTS = Number(process.env['TRELLIS_FUZZ_REQUESTS'] ?? 600)
const SEED = Number(process.env['TRELLIS_FUZZ_SEED'] ?? 1)
const IS_LONG = REQUESTS > 5000
const AT_ONCE = 10
const LEAKS = /\bat .*\.(ts|js):\d+|SQLSTATE|node_modules|ECONN/

/** They would end the walk: covered by `hostile-input.test.ts`. */
const ENDS_THE_WALK = new Set([
  'deleteAccount',
  'deleteWorkspace',
  'updateWorkspace',
  'leaveAccount',
  'transferOwnership',
  'logout',
  'endAllSessions',
  'endSession',
  'changePassword',
  'setUpSecondFactor',
])

let app: TestApp
let filled: FilledWorkspace
let client: TestClient
const known = new ValuePool()
const statuses = new Map<number, number>()
const reached = new Map<string, number>()
const failures = new Map<string, string>()
const logged: string[] = []
const log = createLogger({ level: 'error', role: 'test', destination: { write: (line) => void logged.push(line) } })

let state = SEED
/** Small and seeded, so that a failure comes back. */
function pick(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' }, log, hasWorker: IS_LONG })
  known.learn({ feature: '' }, { schema_name: 'data', table_name: 'orders' })
  filled = await fillWorkspace(app, (endpoint, answer) => known.learn(endpoint, answer.data))
  client = filled.workspace.account.owner
  known.learn(
    { feature: '' },
    {
      sql: [
        'select * from orders',
        'select 1 as id',
        'insert into orders (id) values (9) returning *',
        'select 1; select 2',
      ],
      code: ['select * from orders', 'return input'],
      content: ['select * from orders', 'select {{ name }}'],
      query: ['orders', 'select 1'],
      schema_name: ['data'],
      table_name: ['orders', 'things'],
      column: ['id', 'buyer', 'amount', 'placed'],
      cronExpression: ['0 8 ? * 1 *', '*/5 * * * ? *'],
      timeStandard: ['UTC', 'Europe/Berlin'],
    },
  )
  for (const feature of ['explorer', 'database-admin', 'uploads', 'sql', 'sparks', 'ai', 'worksheets', 'sandbox'])
    known.learn({ feature }, filled.workspace.params)
  // Of the other names a path has for them.
  const { ids } = filled
  known.learn(
    { feature: 'dataflows' },
    {
      trellis_code: ids['dataflow'],
      task_run_trellis_code: ids['run'],
      flow_run_trellis_code: ids['flowRun'],
      task_block_trellis_code: ids['sql'],
    },
  )
  known.learn(
    { feature: 'runs' },
    { trellis_code: ids['dataflow'], task_run_trellis_code: ids['run'], flow_run_trellis_code: ids['flowRun'] },
  )
  known.learn({ feature: 'integrations' }, { integration_trellis_code: ids['connection'], id: ids['connection'] })
  known.learn({ feature: 'ai' }, { message_trellis_code: ids['answer'] })
  known.beginOver()
})
afterAll(async () => {
  await filled.workspace.remove()
  await app.close()
})

const batches = new Map<string, ArbitraryInput[]>()

function sample(endpoint: Endpoint, kind: 'shaped' | 'hostile'): ArbitraryInput {
  const key = `${kind} ${endpoint.id}`
  let batch = batches.get(key)
  if (!batch?.length) {
    const make = kind === 'shaped' ? shapedInput : hostileInput
    batch = fc.sample(make(endpoint), { numRuns: IS_LONG ? 30 : 3, seed: pick(2 ** 31) })
    batches.set(key, batch)
  }
  return batch.pop() as ArbitraryInput
}

/** One value somewhere in it is replaced by a hostile one. */
function spoil(value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0) {
    const at = pick(value.length)
    return value.map((item, index): unknown => (index === at ? spoil(item) : item))
  }
  if (value === null || typeof value !== 'object')
    return fc.sample(hostileValue, { numRuns: 1, seed: pick(2 ** 31) })[0]
  const names = Object.keys(value)
  const at = names[pick(names.length)]
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, name === at ? spoil(inner) : inner]))
}

function makeInput(endpoint: Endpoint): ArbitraryInput {
  const kind = pick(10)
  const input = known.fill(endpoint, sample(endpoint, kind === 9 ? 'hostile' : 'shaped'), pick)
  if (kind === 7 && endpoint.body) return { ...input, body: spoil(input.body) }
  if (kind === 8 && endpoint.query) return { ...input, query: spoil(input.query) as ArbitraryInput['query'] }
  return input
}

function encodePart(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return encodeURIComponent(text.toWellFormed())
}

function buildPath(endpoint: Endpoint, { params, query }: ArbitraryInput): string {
  const path = toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, (_, name: string) => encodePart(params[name]))
  const pairs = Object.entries(query ?? {}).map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`)
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
}

async function send(endpoint: Endpoint, input: ArbitraryInput): Promise<Answer> {
  const method = endpoint.method
  if (endpoint.sends === 'events') return await readStart(endpoint, input)
  if (endpoint.receives === 'multipart') {
    const body = new FormData()
    body.append(
      'file',
      new Blob(['id,buyer\n1,Ada\n']),
      String(known.find('name', { feature: '', isDelete: false }, pick) ?? 'a.csv'),
    )
    return await client.raw(buildPath(endpoint, input), { method, body })
  }
  if (endpoint.receives === 'bytes') {
    const headers = { 'content-type': 'application/octet-stream' }
    return await client.raw(buildPath(endpoint, input), { method, headers, body: 'id,buyer\n1,Ada\n' })
  }
  return await client.call(endpoint, input)
}

/** A stream has no end: its first bytes will do. */
async function readStart(endpoint: Endpoint, input: ArbitraryInput): Promise<Answer> {
  const path = buildPath(endpoint, input)
  const response = await fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${client.token}` } })
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const text = isJson ? await response.text() : ''
  await response.body?.cancel().catch(() => undefined)
  const { errors = [] } = isJson ? (JSON.parse(text) as Pick<Answer, 'errors'>) : {}
  return { status: response.status, data: undefined, errors, headers: response.headers, text }
}

function findFaults(answer: Answer): string[] {
  const isBusy = answer.status === 503 && answer.headers.has('retry-after')
  const [error] = answer.errors
  const faults: string[] = []
  if (answer.status >= 500 && !isBusy) {
    const cause = logged.find((line) => line.includes(error?.id ?? ''))
    faults.push(`answered ${answer.status} ${/"err":\{.{0,400}/.exec(cause ?? '')?.[0] ?? ''}`)
  }
  if (answer.status < 400) return faults
  if (LEAKS.test(answer.text)) faults.push('shows its insides')
  if (answer.text.length > 64_000) faults.push('a long error')
  if (!error || !(error.code in ERRORS)) faults.push('an error without a known code')
  if (error?.id !== answer.headers.get('x-request-id')) faults.push('an error without its reference')
  return faults
}

function judge(endpoint: Endpoint, input: ArbitraryInput, answer: Answer): void {
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  if (answer.status < 300) reached.set(endpoint.id, (reached.get(endpoint.id) ?? 0) + 1)
  known.learn(endpoint, answer.data)
  for (const fault of findFaults(answer)) {
    const key = `${endpoint.id}: ${fault}`
    if (!failures.has(key)) failures.set(key, `${JSON.stringify(input).slice(0, 1500)}\n${answer.text.slice(0, 300)}`)
  }
  logged.splice(0, logged.length - 50)
}

const walked = allEndpoints.filter(({ id }) => !ENDS_THE_WALK.has(id))

/** What deletes is rarer, or nothing would be left to look at. */
function chooseEndpoint(): Endpoint {
  const endpoint = walked[pick(walked.length)] as Endpoint
  return deletes(endpoint) && pick(6) > 0 ? chooseEndpoint() : endpoint
}

/** A long walk outlives its access token. */
async function renewToken(): Promise<void> {
  const owner = await app.database.db
    .selectFrom('profiles')
    .select('email')
    .where('id', '=', filled.workspace.account.ownerId)
    .executeTakeFirstOrThrow()
  client.token = (await signInAs(app, owner.email)).token
}

test(
  'requests that go on from the answers of earlier ones never make the server fail',
  async () => {
    const startedAt = Date.now()
    let renewedAt = startedAt
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
      if (Date.now() - renewedAt > (ACCESS_TOKEN_SECONDS * 1000) / 2) {
        await renewToken()
        renewedAt = Date.now()
      }
      const batch = Array.from({ length: AT_ONCE }, (_, at) => {
        const endpoint = sent + at < walked.length ? (walked[sent + at] as Endpoint) : chooseEndpoint()
        const input = makeInput(endpoint)
        return { endpoint, input: { ...input, params: { ...input.params, ...filled.workspace.tenant } } }
      })
      const answers = await Promise.all(batch.map(({ endpoint, input }) => send(endpoint, input)))
      for (const [at, answer] of answers.entries()) {
        const { endpoint, input } = batch[at] as (typeof batch)[number]
        judge(endpoint, input, answer)
      }
      if (IS_LONG && sent % 5000 === 0) report(sent, startedAt)
    }
    if (IS_LONG) report(REQUESTS, startedAt)
    const { rows: open } = await app.database.pool.query<{ state: string; sessions: string }>(
      "select state, count(*) as sessions from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid() group by 1",
    )
    if (IS_LONG) process.stdout.write(`sessions at work in the control database afterwards: ${JSON.stringify(open)}\n`)
    expect([...failures].map(([what, how]) => `${what}\n${how}`).join('\n\n')).toBe('')
    expect(reached.size).toBeGreaterThan(100)
    expect(statuses.get(401) ?? 0).toBeLessThan(REQUESTS / 10)
  },
  IS_LONG ? 36_000_000 : 600_000,
)

function report(sent: number, startedAt: number): void {
  const { rss, heapUsed } = process.memoryUsage()
  const counts = [...statuses].toSorted(([one], [other]) => one - other).map(([status, times]) => `${status}: ${times}`)
  const memory = `${Math.round(rss / 1e6)} MB resident, ${Math.round(heapUsed / 1e6)} MB heap`
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const missing = walked.filter(({ id }) => !reached.has(id)).map(({ id }) => id)
  process.stdout.write(
    `${sent} requests in ${seconds} s, ${counts.join(', ')}; ${reached.size} of ${walked.length} endpoints gave a 2xx; ${memory}\n` +
      `  never: ${missing.join(' ')}\n` +
      `  failures: ${[...failures.keys()].join('\n  ')}\n`,
  )
}
