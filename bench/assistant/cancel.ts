import { setTimeout as sleep } from 'node:timers/promises'
import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import * as calls from '@trellis/contract/ai/conversations.endpoints'
import { requestCancel } from '../../apps/server/src/modules/ai/answer/answers.repository.ts'
import { stopLiveAnswers } from '../../apps/server/src/modules/ai/answer/live-answers.ts'
import { type FakeTurn, startFakeModel } from '../../apps/server/src/modules/ai/testing/fake-model.ts'
import { grantPurchased } from '../../apps/server/src/modules/billing/credits.service.ts'
import { type TestApp, startTestApp } from '../../apps/server/src/testing/test-app.ts'
import { makeReadyWorkspace } from '../../apps/server/src/testing/workspace.ts'
import { type Figure, median } from '../report.ts'

const ROUNDS = 10
const LIMIT_MS = 1000
const LOOK_MS = 5
const GIVE_UP_MS = 30_000
/** CPU-bound, with an estimated cost just below the guard's limit. */
const SLOW_VIEW =
  'create view data.slow_things as select a from generate_series(1, 10000) a, generate_series(1, 15000) b'
const SLOW_QUERY = 'select count(*) from data.slow_things'
const MESSAGE_ACCOUNT = 'select id, account_id from ai_messages where trellis_code = $1'

type CancelledBy = 'call' | 'other process'

export async function measureCancel(clusterUrl: string): Promise<Figure[]> {
  process.env['TRELLIS_TEST_CLUSTER_URL'] = clusterUrl
  let turn: FakeTurn = {}
  const model = await startFakeModel('openai', () => turn)
  const app = await startTestApp({
    settings: {
      TRELLIS_RATE_LIMITS: 'off',
      TRELLIS_ALLOWED_HOSTS: '127.0.0.1',
      TRELLIS_AI_MODEL: 'slow',
      TRELLIS_AI_BASE_URL: model.baseUrl,
    },
  })
  const place = await makePlace(app)
  const measure = async (count: () => Promise<boolean>, by: CancelledBy, engine?: 'rules') => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) times.push(await cancelOnce(place, { hasEnded: count, by, engine }))
    return times
  }
  try {
    const figures: Figure[] = []
    for (const by of ['call', 'other process'] as const) {
      const suffix = by === 'call' ? '' : ', cancelled by another API process'
      turn = { text: 'Once upon a time', hangs: true }
      figures.push(...toFigures(`a slow model's answer${suffix}`, await measure(createCutWatch(model), by)))
      figures.push(...toFigures(`a long query by rules${suffix}`, await measure(() => place.isIdle(), by, 'rules')))
      turn = { calls: [{ name: 'run_sql', arguments: JSON.stringify({ sql: SLOW_QUERY }) }] }
      figures.push(...toFigures(`a long query by a model${suffix}`, await measure(() => place.isIdle(), by)))
    }
    return figures
  } finally {
    await stopLiveAnswers()
    await place.workspace.remove()
    await app.close()
    await model.close()
  }
}

function createCutWatch(model: Awaited<ReturnType<typeof startFakeModel>>): () => Promise<boolean> {
  let requests = model.requests.length
  let cut = model.cutAnswers()
  return async () => {
    if (model.cutAnswers() > cut) {
      cut = model.cutAnswers()
      requests = model.requests.length
    }
    return model.requests.length === requests
  }
}

type Place = Awaited<ReturnType<typeof makePlace>>

async function makePlace(app: TestApp) {
  const workspace = await makeReadyWorkspace(app)
  const { owner, id } = workspace.account
  await workspace.sql(SLOW_VIEW)
  await grantPurchased(app.ctx, id, { checkoutId: 'cs_bench', credits: 1000, at: new Date(0) })
  const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never
  const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name: 'Slow' } })
  const { project_trellis_code } = createdResponse.data
  const at = { project_trellis_code, integration_trellis_code: workspace.integrationCode }
  const tables = [{ schema_name: 'data', table_name: 'slow_things' }]
  await owner.call(projects.updateAiProjectTables, { params: params(at), body: { tables } })
  const { admin } = await app.ctx.ports.cluster.open()
  const running = `select from pg_stat_activity where query like '%slow_things%' and query not like 'explain%'
    and state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`
  return {
    app,
    workspace,
    params,
    project_trellis_code,
    isIdle: async () => (await admin.query(running)).rowCount === 0,
  }
}

interface Cancelling {
  readonly hasEnded: () => Promise<boolean>
  readonly by: CancelledBy
  readonly engine: 'rules' | undefined
}

async function cancelOnce(place: Place, { hasEnded, by, engine }: Cancelling): Promise<number> {
  const { app, workspace, params, project_trellis_code } = place
  const { owner } = workspace.account
  const begun = await owner.call(calls.createConversation, { params: params(), body: { project_trellis_code } })
  const { conversation_trellis_code } = begun.data
  const body = { text: 'how many slow things', ...(engine && { engine }) }
  const sentResponse = await owner.call(calls.sendMessage, { params: params({ conversation_trellis_code }), body })
  const { message_trellis_code } = sentResponse.data.answer
  const at = { conversation_trellis_code, message_trellis_code }
  const hasBegun = async () => !(await hasEnded())
  await waitFor(hasBegun)
  const { rows } = await app.database.pool.query<{ id: number; account_id: number }>(MESSAGE_ACCOUNT, [
    message_trellis_code,
  ])
  const started = performance.now()
  if (by === 'call') void owner.call(calls.cancelMessage, { params: params(at) })
  else
    await requestCancel(
      { db: app.ctx.db, account: { id: Number(rows[0]?.account_id) } },
      Number(rows[0]?.id),
      new Date(),
    )
  await waitFor(hasEnded)
  const took = performance.now() - started
  await waitFor(async () => {
    const { data } = await owner.call(calls.getMessageUpdates, { params: params({ ...at, message_sha: '0' }) })
    return data.message?.status === 'cancelled'
  })
  return took
}

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + GIVE_UP_MS
  while (!(await isTrue())) {
    if (performance.now() > until) throw new Error('What is measured never began or never ended.')
    await sleep(LOOK_MS)
  }
}

const toFigures = (what: string, times: number[]): Figure[] => [
  { what: `cancel to the end of ${what}, median`, value: median(times), unit: 'ms' },
  {
    what: `cancel to the end of ${what}, slowest of ${times.length}`,
    value: Math.max(...times),
    unit: 'ms',
    limit: { value: LIMIT_MS, isAtMost: true },
  },
]
