import { parentPort, workerData } from 'node:worker_threads'
import { startEngine } from './engine.ts'
import type { OpenMessage, Output, Reply, Request } from './wire.ts'

const port = parentPort
if (!port) throw new Error('This file is the inside of a sandbox; it runs as a thread.')

const listBuffers = (output: Output): ArrayBuffer[] =>
  output.shape === 'columns'
    ? output.columns.flatMap((column) => (column.kind === 'numbers' ? [column.buffer] : []))
    : []

const started = await startEngine(workerData as OpenMessage)
if ('problem' in started) {
  port.postMessage({ type: 'problem', problem: started.problem, lines: [] } satisfies Reply)
  // A listener keeps the thread alive until its last message is delivered.
  port.on('message', () => undefined)
} else {
  const engine = started.value
  port.on('message', (request: Request) => {
    const outcome = engine.run(request)
    const lines = engine.takeLines()
    if ('problem' in outcome) port.postMessage({ type: 'problem', problem: outcome.problem, lines } satisfies Reply)
    else port.postMessage({ type: 'done', output: outcome.value, lines } satisfies Reply, listBuffers(outcome.value))
  })
  port.postMessage({ type: 'ready', lines: engine.takeLines(), hasFinish: engine.hasFinish } satisfies Reply)
}
