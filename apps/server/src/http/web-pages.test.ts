import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { mountWeb } from './web-pages.ts'
import { sendError } from './wire-error.ts'

const app = fastify()
let folder: string
let port: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-web-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(
    join(folder, 'pages.json'),
    JSON.stringify({ pages: { '/login': 'login.html' }, app: 'app.html', sparkFrame: 'frame.html' }),
  )
  await writeFile(
    join(folder, 'login.html'),
    '<html><head></head><body>sign in <script nonce="__CSP_NONCE__"></script></body></html>',
  )
  await writeFile(join(folder, 'app.html'), '<html><head></head><body>the app</body></html>')
  await writeFile(
    join(folder, 'frame.html'),
    '<html><head></head><body><script nonce="__CSP_NONCE__" src="/assets/spark-frame-A1.js"></script></body></html>',
  )
  await writeFile(join(folder, 'assets', 'a.js'), 'export {}')
  await writeFile(join(folder, 'assets', 'spark-frame-A1.js'), 'void 0')
  app.setErrorHandler((error, asked, reply) => sendError(error, asked, reply))
  await mountWeb(app, { folder, config: readConfig({ TRELLIS_SUPPORT_EMAIL: 'help"<x>@example.com' }) })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** A URL object would normalise the path. */
function get(path: string): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
    })
      .on('error', reject)
      .end()
  })
}

test('each page has a nonce of its own, in its policy and on its scripts', async () => {
  const [one, two] = [await get('/login?next=/x'), await get('/login')]
  const nonce = /nonce-([^']+)'/.exec(String(one.headers['content-security-policy']))?.[1]
  expect(one.text).toContain(`<script nonce="${nonce}">`)
  expect(two.text).not.toContain(String(nonce))
  expect(one.text).toContain('content="help&quot;&lt;x>@example.com"')
})

test('WebAssembly may run in a worker, which has the policy of its script, and not in a page', async () => {
  expect((await get('/assets/a.js')).headers['content-security-policy']).toContain("'wasm-unsafe-eval'")
  expect((await get('/login')).headers['content-security-policy']).not.toContain('wasm')
})

test('the frame of a spark has an origin of its own, no network, and settings of nobody', async () => {
  const { headers, text } = await get('/spark-frame')
  const policy = String(headers['content-security-policy'])
  const nonce = /nonce-([^']+)'/.exec(policy)?.[1]
  expect(text).toContain(`nonce="${nonce}"`)
  expect(text).not.toContain('trellis-support')
  for (const part of [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'unsafe-eval'`,
    "connect-src 'none'",
    "frame-src 'none'",
    "worker-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ]) {
    expect(policy.split('; ')).toContain(part)
  }
  expect(headers['x-frame-options']).toBe('SAMEORIGIN')
  expect(headers['x-dns-prefetch-control']).toBe('off')
  expect(headers['permissions-policy']).toContain('camera=()')
  expect((await get('/spark-frame')).text).not.toContain(String(nonce))
})

test('only the script of that frame may be loaded by another origin', async () => {
  const script = await get('/assets/spark-frame-A1.js')
  expect(script.headers['cross-origin-resource-policy']).toBe('cross-origin')
  expect((await get('/assets/a.js')).headers['cross-origin-resource-policy']).not.toBe('cross-origin')
})

test('pages embed that frame and nothing else', async () => {
  const policy = String((await get('/login')).headers['content-security-policy'])
  expect(policy).toContain(`frame-src 127.0.0.1:${port}/spark-frame localhost:4600/spark-frame`)
})

test('any other address is the application, files are files, and calls stay calls', async () => {
  expect((await get('/some/where/else')).text).toContain('the app')
  expect((await get('/assets/a.js')).headers['cache-control']).toContain('immutable')
  for (const path of ['/api/nothing', '/auth/nothing', '/assets/gone.js']) expect((await get(path)).status).toBe(404)
})

test.each([
  '//',
  '/%00',
  '/./x',
  '/assets/',
  '/assets/../x',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..%2f..%2fetc/passwd',
  '/app.html',
  '/pages.json',
  '/%',
])('%s gives neither a server error nor a file', async (path) => {
  const { status, text } = await get(path)
  expect(status).toBeLessThan(500)
  expect(text).not.toMatch(/root:|"pages"/)
})
