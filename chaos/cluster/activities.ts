import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { executeSql, getSqlJob } from '@trellis/contract/sql/sql.endpoints'
import {
  deliverData,
  finishUpload,
  getUploadJob,
  preProcessFile,
  sendPart,
  startUpload,
  updateFile,
} from '@trellis/contract/uploads/uploads.endpoints'
import { hashSecret } from '../../apps/server/src/modules/runs/inbound-webhooks/webhook-secret.ts'
import type { Kept } from '../promises.ts'
import { makeTickBlock } from '../stories.ts'
import { OWN_DATABASE } from '../world.ts'
import type { ApiAnswer, BalancedClient } from './balanced-client.ts'
import type { Installation } from './open-installation.ts'

interface ActivityOptions {
  readonly installation: Installation
  readonly client: BalancedClient
  readonly state: { readonly isQuiet: boolean }
}

export type Activity = (options: ActivityOptions) => Promise<Kept>

const JOB_TIMEOUT_MS = 120_000
const JOB_POLL_MS = 200
const PAUSE_MS = 500

interface Job {
  readonly status: string
}

async function untilEnded(ask: () => Promise<ApiAnswer>): Promise<string> {
  for (const end = Date.now() + JOB_TIMEOUT_MS; ; await sleep(JOB_POLL_MS)) {
    const { status, data } = await ask()
    if (status !== 200) return `answer ${status}`
    const { status: job } = data as Job
    if (!['queued', 'running', 'in_progress'].includes(job)) return job
    if (Date.now() > end) return 'stuck'
  }
}

/** Each statement inserts a row. A failed one may have inserted it, if the response was lost. */
export const runStatements: Activity = async ({ installation, client, state }) => {
  await installation.data('create table data.noted (n bigint)')
  const ends = new Map<number, string>()
  for (let n = 1; !state.isQuiet; n += 1) {
    const jobId = randomUUID()
    const body = { job_id: jobId, integration_trellis_code: OWN_DATABASE, sql: `insert into data.noted values (${n})` }
    const { status } = await client.call(executeSql, { body: { ...body, keep_running: true } })
    const ask = () => client.call(getSqlJob, { params: { job_id: jobId } })
    ends.set(n, status === 200 ? await untilEnded(ask) : `answer ${status}`)
    await sleep(PAUSE_MS)
  }
  const rows = await installation.data<{ n: string; times: number }>(
    'select n, count(*)::int as times from data.noted group by 1',
  )
  const times = new Map(rows.map((row) => [Number(row.n), row.times]))
  const completed = [...ends].filter(([, end]) => end === 'completed')
  return {
    says: `${ends.size} statements of worksheets, ${completed.length} of them completed`,
    faults: [
      ...completed.flatMap(([n]) =>
        times.get(n) === 1 ? [] : [`Statement ${n} completed with ${times.get(n) ?? 0} rows.`],
      ),
      ...rows.flatMap((row) => (row.times > 1 ? [`Statement ${row.n} wrote ${row.times} rows.`] : [])),
      ...[...ends].flatMap(([n, end]) =>
        ['completed', 'failed', 'cancelled'].includes(end) ? [] : [`Statement ${n}: ${end}.`],
      ),
    ],
  }
}

const UPLOAD_ROWS = 200

export const uploadFiles: Activity = async ({ installation, client, state }) => {
  const ends = new Map<string, string>()
  for (let n = 1; !state.isQuiet; n += 1) {
    const table = `uploaded_${n}`
    ends.set(table, await uploadFile(client, table))
    await sleep(PAUSE_MS)
  }
  const faults: string[] = []
  for (const [table, end] of ends) {
    const [found] = await installation.data<{ there: boolean }>(
      `select to_regclass('data.${table}') is not null as there`,
    )
    const [counted] = found?.there
      ? await installation.data<{ rows: number }>(`select count(*)::int as rows from data.${table}`)
      : []
    const rows = counted?.rows ?? 0
    if (end === 'completed' ? rows !== UPLOAD_ROWS : rows !== 0) faults.push(`${table} ${end} with ${rows} rows.`)
    if (!['completed', 'failed'].includes(end)) faults.push(`${table}: ${end}.`)
  }
  const completed = [...ends.values()].filter((end) => end === 'completed').length
  return { says: `${ends.size} uploads, ${completed} of them completed`, faults }
}

async function uploadFile(client: BalancedClient, table: string): Promise<string> {
  const bytes = Buffer.from(
    ['id,name', ...Array.from({ length: UPLOAD_ROWS }, (_, at) => `${at},row ${at}`), ''].join('\n'),
  )
  const file = { integration_trellis_code: OWN_DATABASE, schema_name: 'data', original_filename: `${table}.csv` }
  const started = await client.call(startUpload, { body: { ...file, size_bytes: bytes.length }, key: `start-${table}` })
  const fileId = (started.data as { file_id?: string } | undefined)?.file_id ?? ''
  const params = { file_id: fileId, part: 1 }
  const run = async (endpoint: typeof preProcessFile | typeof deliverData) => {
    const { status, data } = await client.call(endpoint, { body: { file_id: fileId }, key: `${endpoint.id}-${table}` })
    if (status !== 200) return `${endpoint.id}: answer ${status} ${JSON.stringify(data)}`
    const { job_id: jobId } = data as { job_id: string }
    return await untilEnded(() => client.call(getUploadJob, { params: { job_id: jobId } }))
  }
  const steps = [
    async () => (started.status === 200 ? 'completed' : `start: answer ${started.status}`),
    async () => expectOk(await client.call(sendPart, { params, body: bytes })),
    async () => expectOk(await client.call(finishUpload, { params, key: `finish-${table}` })),
    () => run(preProcessFile),
    async () => expectOk(await client.call(updateFile, { body: { file_id: fileId, table_name: table } })),
    () => run(deliverData),
  ]
  for (const step of steps) {
    const end = await step()
    if (end !== 'completed') return end
  }
  return 'completed'
}

const expectOk = ({ status, data }: ApiAnswer) =>
  status === 200 ? 'completed' : `answer ${status} ${JSON.stringify(data)}`

/** Each message is sent to both APIs at once and repeated, with one key: it must start one run. */
export const sendWebhooks: Activity = async ({ installation, client, state }) => {
  const { accountId, workspaceId, control } = installation
  const { blockId, dataflowId, table } = await makeTickBlock(installation, { name: 'hooked' })
  const secret = randomBytes(32).toString('base64url')
  await control(
    `insert into inbound_webhooks (dataflow_id, account_id, workspace_id, trellis_code, secret_hash)
     values ($1, $2, $3, 'chaoshook', $4) on conflict do nothing`,
    [dataflowId, accountId, workspaceId, hashSecret(secret)],
  )
  const faults: string[] = []
  let sent = 0
  for (; !state.isQuiet; await sleep(2 * PAUSE_MS)) {
    sent += 1
    const request = { body: { n: sent }, key: `message-${sent}` }
    const path = `/hooks/chaoshook/${secret}`
    const answers = [...(await client.callEach(path, request)), ...(await client.callEach(path, request))]
    const runs = new Set(answers.map(({ data }) => (data as { flow_run_trellis_code?: string }).flow_run_trellis_code))
    const statuses = new Set(answers.map(({ status }) => status))
    if (runs.size !== 1 || statuses.size !== 1 || !statuses.has(202)) {
      faults.push(`Message ${sent}: answers ${[...statuses].join(', ')} with ${runs.size} runs.`)
    }
  }
  const count = async () =>
    await control<{ runs: number; open: number }>(
      `select count(*)::int as runs, count(*) filter (where status not in ('SUCCESS', 'FAILED', 'EXCEPTION'))::int as open
         from task_runs where block_id = $1`,
      [blockId],
    )
  for (const end = Date.now() + JOB_TIMEOUT_MS; Date.now() < end && (await count())[0]?.open !== 0;)
    await sleep(JOB_POLL_MS)
  const [runs] = await count()
  const [rows] = await installation.data<{ rows: number }>(`select count(*)::int as rows from ${table}`)
  if (runs?.runs !== sent || rows?.rows !== sent) {
    faults.push(`${sent} messages started ${runs?.runs} runs, which wrote ${rows?.rows} rows.`)
  }
  return { says: `${sent} webhook messages, each sent four times and run once`, faults }
}
