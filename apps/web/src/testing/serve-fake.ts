/**
 * Serves the built web with the fake API, for looking at screens: `node apps/web/src/testing/serve-fake.ts 4611
 * [dist]`.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { answerFrom } from './fake-api.ts'
import { createWorld } from './fake-world.ts'

const dist = process.argv[3] ?? join(import.meta.dirname, '../../dist')
const port = Number(process.argv[2] ?? 4611)
const world = createWorld()
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}
const POLICY = [
  "default-src 'none'; script-src 'self' 'nonce-fake'; style-src 'self' 'nonce-fake'; style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; frame-src 'self'; require-trusted-types-for 'script'",
].join('; ')

const { pages, app } = JSON.parse(await readFile(join(dist, 'pages.json'), 'utf8')) as {
  pages: Record<string, string>
  app: string
}

createServer(async (request, response) => {
  const path = new URL(request.url ?? '/', 'http://fake').pathname
  let body = ''
  for await (const chunk of request) body += String(chunk)
  if (/^\/(api|auth)\//.test(path)) {
    const answer = answerFrom(world, { method: request.method ?? 'GET', url: request.url ?? '/', body })
    if (answer.events) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of answer.events) response.write(`data: ${JSON.stringify(event)}\n\n`)
      return
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
    return
  }
  if (path === '/openapi.json') {
    const file = join(import.meta.dirname, '../../../../docs/openapi.json')
    response.writeHead(200, { 'content-type': 'application/json' }).end(await readFile(file).catch(() => '{}'))
    return
  }
  const type = TYPES[extname(path)]
  if (type) {
    const file = await readFile(join(dist, path)).catch(() => null)
    response.writeHead(file ? 200 : 404, { 'content-type': type }).end(file)
    return
  }
  const html = await readFile(join(dist, pages[path] ?? app), 'utf8')
  const meta =
    '<meta name="trellis-mailbox" content="/mailbox"><meta name="trellis-support" content="support@example.com">'
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY })
    .end(html.replaceAll('__CSP_NONCE__', 'fake').replace('<head>', `<head>${meta}`))
}).listen(port, '127.0.0.1')
