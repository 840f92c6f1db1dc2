import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads'
import { pgDump } from '@electric-sql/pglite-tools/pg_dump'
import { testClusterUrl } from '../../testing.ts'
import type { ServerWork } from './server-worker.ts'

type Dumped = Parameters<typeof pgDump>[0]['pg']

const ANSWER_TIMEOUT_MS = 60_000

/** The WASM program expects synchronous I/O, so it waits for each answer. */
function connectTo({ hostname, port }: URL) {
  const { port1, port2 } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const workerData: ServerWork = { host: hostname, port: Number(port), exchange: port2, answered }
  const worker = new Worker(new URL('./server-worker.ts', import.meta.url), { workerData, transferList: [port2] })
  return {
    ask(bytes: Uint8Array): Uint8Array {
      const before = Atomics.load(answered, 0)
      port1.postMessage(Uint8Array.from(bytes))
      if (Atomics.wait(answered, 0, before, ANSWER_TIMEOUT_MS) === 'timed-out') throw new Error('The server is silent.')
      return (receiveMessageOnPort(port1)?.message as Uint8Array | undefined) ?? new Uint8Array()
    },
    close: () => worker.terminate(),
  }
}

export async function dumpDatabase(database: string): Promise<string> {
  const url = new URL(testClusterUrl())
  url.pathname = `/${database}`
  return await runPgDump(url, ['--exclude-schema=trellis*', '--exclude-schema=public'])
}

export async function runPgDump(url: URL, args: readonly string[]): Promise<string> {
  const server = connectTo(url)
  const quoted = (text: string) => `'${decodeURIComponent(text).replaceAll(/['\\]/g, (sign) => `\\${sign}`)}'`
  const place = `dbname=${quoted(url.pathname.slice(1))} user=${quoted(url.username)} password=${quoted(url.password)} sslmode=disable`
  const pg = {
    execProtocolRawStream: (bytes: Uint8Array, { onRawData }: { onRawData: (bytes: Uint8Array) => void }) =>
      onRawData(server.ask(bytes)),
    query: () => Promise.resolve({ rows: [{ search_path: '' }] }),
    exec: () => Promise.resolve([]),
  }
  try {
    const file = await pgDump({ pg: pg as unknown as Dumped, args: ['-d', place, ...args] })
    return await file.text()
  } finally {
    await server.close()
  }
}
