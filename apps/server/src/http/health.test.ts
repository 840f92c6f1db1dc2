import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../testing/test-app.ts'

let app: TestApp
let workerPort: number

beforeAll(async () => {
  workerPort = await findFreePort()
  app = await startTestApp({ hasWorker: true, settings: { TRELLIS_WORKER_PORT: String(workerPort) } })
})
afterAll(async () => await app.close())

const get = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers })
  return { status: response.status, text: await response.text() }
}

test('the API and the worker say that they live and can work', async () => {
  for (const base of [app.url, `http://127.0.0.1:${workerPort}`]) {
    expect(await get(`${base}/healthz`)).toEqual({ status: 200, text: '{"status":"ok"}' })
    expect(await get(`${base}/readyz`)).toEqual({ status: 200, text: '{"status":"ready"}' })
  }
})

test('figures are shown on this machine and not through a proxy', async () => {
  await get(`${app.url}/auth/sso`)
  const own = await get(`${app.url}/metrics`)
  expect(own.text).toMatch(/trellis_http_request_seconds_count\{endpoint="getSsoProvider",status="200"\} \d+/)
  expect((await get(`${app.url}/metrics`, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(404)
  expect((await get(`http://127.0.0.1:${workerPort}/metrics`)).text).toContain('process_cpu_seconds_total')
})
