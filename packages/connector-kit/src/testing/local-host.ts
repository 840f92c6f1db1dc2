import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { Simulator } from '../connector.ts'
import { simulate } from '../simulate.ts'

export interface LocalHost {
  toBaseUrl(host: string): string
  close(): Promise<void>
}

/** Serves the simulator over HTTP at `<address>/<host>/<path of the platform>`. */
export async function serveSimulator(simulator: Simulator, now?: Date): Promise<LocalHost> {
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const host = incoming.url?.split(/[/?]/)[1] ?? ''
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const request = new Request(`${address()}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
      body: chunks.length > 0 ? Buffer.concat(chunks) : null,
    })
    const response = await simulate(simulator, request, { host, base: `${address()}/${host}`, ...(now ? { now } : {}) })
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (!response.body) return void outgoing.end()
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
    body.on('error', () => outgoing.destroy())
    body.pipe(outgoing)
  }
  await listen(server)
  return {
    toBaseUrl: (host) => `${address()}/${host}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Ephemeral ports, from 32768 up, can be taken by other tests' connections at any time. */
async function listen(server: ReturnType<typeof createServer>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (isFree) return
    if (attempt > 50) throw new Error('No free port.')
  }
}
