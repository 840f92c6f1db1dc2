import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads'
import { pgDump } from '@electric-sql/pglite-tools/pg_dump'
import type pg from 'pg'
import type { ServerWork } from './pg-dump-server.ts'

type PgDumpDatabase = Parameters<typeof pgDump>[0]['pg']

const ANSWER_TIMEOUT_MS = 60_000

/** The WASM program expects synchronous I/O, so this thread waits for each answer. */
function startPgDumpServer(config: pg.ClientConfig) {
  const { port1, port2 } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const workerData: ServerWork = { config, exchange: port2, answered }
  const worker = new Worker(new URL('./pg-dump-server.ts', import.meta.url), { workerData, transferList: [port2] })
  worker.on('error', () => undefined)
  return {
    ask(bytes: Uint8Array): Uint8Array {
      const answeredBefore = Atomics.load(answered, 0)
      port1.postMessage(Uint8Array.from(bytes))
      if (Atomics.wait(answered, 0, answeredBefore, ANSWER_TIMEOUT_MS) === 'timed-out') {
        throw new Error('The server did not answer pg_dump.')
      }
      return (receiveMessageOnPort(port1)?.message as Uint8Array | undefined) ?? new Uint8Array()
    },
    close: () => worker.terminate(),
  }
}

/** pg_dump of the version that comes along. Blocks this thread. */
export async function runPgDump(config: pg.ClientConfig, args: readonly string[]): Promise<string> {
  const server = startPgDumpServer(config)
  const pg = {
    execProtocolRawStream: (bytes: Uint8Array, { onRawData }: { onRawData: (bytes: Uint8Array) => void }) =>
      onRawData(server.ask(bytes)),
    query: () => Promise.resolve({ rows: [{ search_path: '' }] }),
    exec: () => Promise.resolve([]),
  }
  try {
    const file = await pgDump({
      pg: pg as unknown as PgDumpDatabase,
      args: ['-d', 'dbname=workspace user=trellis sslmode=disable', ...args],
    })
    // psql's own commands, which newer versions put around the statements.
    return (await file.text()).replaceAll(/^\\(?:un)?restrict .*$/gm, '')
  } finally {
    await server.close()
  }
}
