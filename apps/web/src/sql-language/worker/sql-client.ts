import type { Question, QuestionKind, Questions, Reply } from './protocol.ts'

interface Factory {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string }
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
const policy = factory?.createPolicy('trellis-sql-worker', { createScriptURL: (url) => url })

const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>()
let starting: Promise<Worker> | undefined
let lastId = 0

async function startWorker(): Promise<Worker> {
  const { default: url } = await import('./sql.worker.ts?worker&url')
  const worker = new Worker(policy ? policy.createScriptURL(url) : url, { type: 'module', name: 'sql' })
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    const pending = waiting.get(data.id)
    waiting.delete(data.id)
    if ('problem' in data) pending?.reject(new Error(data.problem))
    else pending?.resolve(data.answer as never)
  })
  worker.addEventListener('error', () => {
    starting = undefined
    for (const { reject } of waiting.values()) reject(new Error('The SQL worker stopped.'))
    waiting.clear()
  })
  return worker
}

export async function callWorker<Kind extends QuestionKind>(
  kind: Kind,
  ask: Questions[Kind]['ask'],
): Promise<Questions[Kind]['answer']> {
  starting ??= startWorker().catch((error: unknown) => {
    starting = undefined
    throw error
  })
  const worker = await starting
  lastId += 1
  const id = lastId
  return await new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    worker.postMessage({ id, kind, ask } as Question, [])
  })
}
