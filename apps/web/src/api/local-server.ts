import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

export interface SeenRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export interface Answer {
  status?: number
  body?: unknown
  headers?: Record<string, string>
}

export async function startLocalServer(answer: (request: SeenRequest) => Answer | Promise<Answer>) {
  const seenRequests: SeenRequest[] = []
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    seenRequests.push(one)
    const { status = 200, body: said = { data: { done: true } }, headers } = await answer(one)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    if (!isPieces(said)) return response.end(typeof said === 'string' ? said : JSON.stringify(said))
    for await (const piece of said) response.write(piece)
    response.end()
  }
  const server = createServer((request, response) => void reply(request, response))
  const origin = `http://127.0.0.1:${await listen(server)}`
  ;(window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`${origin}/`)
  return {
    seen: seenRequests,
    of: (path: string) => seenRequests.filter((request) => request.url.split('?')[0] === path),
    stop: () => new Promise((stopped) => server.close(stopped).closeAllConnections()),
  }
}

function isPieces(body: unknown): body is AsyncIterable<string | Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** Ports above 32767 are ephemeral and may be taken by outgoing connections. */
async function listen(server: Server): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = 21_000 + Math.floor(Math.random() * 10_000)
    const isFree = await new Promise<boolean>((settle) => {
      server.once('error', () => settle(false))
      server.listen(port, '127.0.0.1', () => settle(true))
    })
    if (isFree) return port
  }
  throw new Error('No free port for the test server')
}
