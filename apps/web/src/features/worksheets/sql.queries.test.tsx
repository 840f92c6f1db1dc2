import type { SqlJob } from '@trellis/contract/sql/sql.schemas'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startLocalServer } from '../../api/local-server.ts'
import type { Answer, SeenRequest } from '../../api/local-server.ts'
import { storeToken } from '../../api/token-store.ts'
import { useSqlJob } from './sql.queries.ts'

const params = { account_trellis_code: 'acc', workspace_address: 'main' }

let server: Awaited<ReturnType<typeof startLocalServer>>
let answer: (request: SeenRequest) => Answer

beforeEach(async () => {
  storeToken({ access_token: 'abc', email: 'ada@example.com' })
  server = await startLocalServer((request) => answer(request))
})
afterEach(async () => {
  cleanup()
  await server.stop()
})

const toJob = (job_id: string): SqlJob => ({
  job_id,
  integration_trellis_code: 'db',
  status: 'completed',
  sql: 'select 1',
  file_id: null,
  row_limit: 1000,
  timeout_seconds: 60,
  keep_running: false,
  statements: [
    {
      start: 0,
      end: 8,
      status: 'completed',
      command: 'SELECT',
      columns: [{ name: job_id, type: 'text', kind: 'text' }],
      rows: 1,
      cut_at: null,
      notices: [],
      duration_ms: 1,
      plan: null,
      problem: null,
    },
  ],
  problem: null,
  created_at: '2026-01-01T00:00:00.000Z',
  started_at: '2026-01-01T00:00:00.000Z',
  finished_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2999-01-01T00:00:00.000Z',
})

const toRows = (value: string) => ({ statement: 0, first_row: 0, rows: [[value]], cut: [] })
const toEvent = (event: object) => `data: ${JSON.stringify(event)}\n\n`
const jobEvent = (id: string) => toEvent({ kind: 'job', job: toJob(id) })
const rowsEvent = (value: string) => toEvent({ kind: 'rows', ...toRows(value) })

async function* stayOpen(...pieces: (string | Promise<string>)[]) {
  for (const piece of pieces) yield await piece
  await new Promise(() => undefined)
}
const stream = (body: unknown): Answer => ({ body, headers: { 'content-type': 'text/event-stream' } })

const show = (lastJobId: string | null, onStarted: (id: string) => void = () => undefined) =>
  renderHook(() => useSqlJob(params, lastJobId, onStarted)).result

test('a job and its rows that come at once are both kept', async () => {
  answer = () => stream(stayOpen(jobEvent('old') + rowsEvent('first')))
  const result = show('old')
  await waitFor(() => expect(result.current.firstRows).toEqual([[['first']]]))
  expect(result.current.job?.job_id).toBe('old')
})

test('the text of a job stays, though only its first event has it', async () => {
  const { sql, ...finished } = toJob('old')
  const running = toEvent({ kind: 'job', job: { ...finished, sql, status: 'running', finished_at: null } })
  answer = () => stream(stayOpen(running, toEvent({ kind: 'job', job: finished })))
  const result = show('old')
  await waitFor(() => expect(result.current.job).toMatchObject({ status: 'completed', sql: 'select 1' }))
})

test('what the query before still sends does not end up in the new result', async () => {
  const late = Promise.withResolvers<string>()
  answer = ({ method, url }) => {
    if (method === 'POST') return { body: { data: { ...toJob('new'), first_rows: [toRows('second')] } } }
    return stream(url.includes('/new/') ? stayOpen() : stayOpen(jobEvent('old'), late.promise))
  }
  const result = show('old', () => late.resolve(rowsEvent('first') + jobEvent('old')))
  await waitFor(() => expect(result.current.job?.job_id).toBe('old'))
  await act(async () => await result.current.run({ integration_trellis_code: 'db', sql: 'select 2' }))
  await waitFor(() => expect(server.seen.some(({ url }) => url.includes('/new/follow'))).toBe(true))
  expect(result.current).toMatchObject({ job: { job_id: 'new' }, firstRows: [[['second']]] })
})
