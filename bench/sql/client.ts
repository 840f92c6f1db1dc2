import { setTimeout as sleep } from 'node:timers/promises'
import type { SqlEvent, SqlJob, StartedSqlJob } from '@trellis/contract/sql/sql.schemas'

export interface Place {
  readonly tenant: { account_trellis_code: string; workspace_address: string }
  readonly integrationCode: string
  readonly database: string
  readonly login: { readonly user: string; readonly password: string }
  readonly tokens: readonly string[]
}

export interface Person {
  readonly url: string
  readonly place: Place
  readonly token: string
}

const WAIT_MS = 150

const MAX_CALL_MS = 120_000

const base = ({ url, place: { tenant } }: Person) =>
  `${url}/api/${tenant.account_trellis_code}/${tenant.workspace_address}/tdb-explorer/sql-executor/sql_query`

async function send(person: Person, path: string, body?: object): Promise<Response> {
  const response = await fetch(base(person) + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${person.token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(MAX_CALL_MS),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response
}

export async function startQuery(person: Person, sql: string, more: object = {}): Promise<StartedSqlJob> {
  const body = { integration_trellis_code: person.place.integrationCode, sql, ...more }
  return ((await (await send(person, '', body)).json()) as { data: StartedSqlJob }).data
}

/** Until the first rows and the end were received, like a worksheet. */
export async function followQuery(person: Person, sql: string, more: object = {}) {
  const began = performance.now()
  const { job_id, first_rows } = await startQuery(person, sql, { wait_ms: WAIT_MS, ...more })
  let rowsMs = first_rows.length > 0 ? performance.now() - began : Number.NaN
  const response = await send(person, `/${job_id}/follow`)
  let job: Extract<SqlEvent, { kind: 'job' }>['job'] | undefined
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes as Uint8Array).toString()
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts.filter((other) => other.startsWith('data: '))) {
      const event = JSON.parse(part.slice(6)) as SqlEvent
      if (event.kind === 'job') job = event.job
      else if (Number.isNaN(rowsMs)) rowsMs = performance.now() - began
    }
  }
  if (!job) throw new Error('The query was never seen.')
  return { rowsMs, doneMs: performance.now() - began, job }
}

export async function finishQuery(person: Person, { job_id }: SqlJob): Promise<SqlJob> {
  const giveUpAt = performance.now() + MAX_CALL_MS
  for (;;) {
    if (performance.now() > giveUpAt) throw new Error(`The query ${job_id} has not ended after ${MAX_CALL_MS} ms.`)
    const { data } = (await (await send(person, `/${job_id}`)).json()) as { data: SqlJob }
    if (data.status !== 'queued' && data.status !== 'running') return data
    await sleep(25)
  }
}

export async function exportResult(person: Person, { job_id }: SqlJob, query: string): Promise<number> {
  const response = await send(person, `/${person.place.integrationCode}/${job_id}/export_results?${query}`)
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length
  return bytes
}
