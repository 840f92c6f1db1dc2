import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DocumentText, ExtractReply, ExtractRequest } from './document-text.ts'

const MAX_HEAP_MB = 384
/** Unpacked streams are outside the heap, where Node has no limit. */
const MAX_RESIDENT_BYTES = 1024 ** 3
const WATCH_MS = 100
const PAGE_BYTES = 4096
const EXTRACT_TIMEOUT_MS = 120_000

export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem'
}

const TOO_MUCH = 'Reading this file takes too long or too much memory. Split it into smaller ones.'

/** A hostile file can take all memory or time, so it is read in a child process with limits for both. */
export async function readDocumentText(
  request: ExtractRequest,
  { signal, timeoutMs = EXTRACT_TIMEOUT_MS }: { signal: AbortSignal; timeoutMs?: number },
): Promise<DocumentText> {
  const child = fork(fileURLToPath(new URL('./extract-child.ts', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<ExtractReply>()
  const stop = () => void child.kill('SIGKILL')
  const timer = setTimeout(stop, timeoutMs)
  const watch = setInterval(() => {
    if (readResidentBytes(child.pid) > MAX_RESIDENT_BYTES) stop()
  }, WATCH_MS)
  signal.addEventListener('abort', stop)
  child.once('message', resolve)
  child.once('error', reject)
  child.once('exit', () => reject(signal.aborted ? signal.reason : new DocumentProblem(TOO_MUCH)))
  try {
    child.send(request)
    const reply = await promise
    if ('problem' in reply) throw new DocumentProblem(reply.problem)
    return reply.text
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

function readResidentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}
