import { EventEmitter, once } from 'node:events'

interface LiveAnswer {
  cancel(): void
  readonly finished: Promise<void>
}

const answers = new Map<string, LiveAnswer>()
const changes = new EventEmitter().setMaxListeners(0)

export function registerAnswer(code: string, answer: LiveAnswer): void {
  answers.set(code, answer)
  void answer.finished.finally(() => {
    answers.delete(code)
    publishAnswerChange(code)
  })
}

export const isAnswerLive = (code: string): boolean => answers.has(code)
export const cancelLiveAnswer = (code: string): void => answers.get(code)?.cancel()
export const publishAnswerChange = (code: string): boolean => changes.emit(code)

export async function waitForAnswer(code: string, ms: number, signal: AbortSignal): Promise<void> {
  await once(changes, code, { signal: AbortSignal.any([signal, AbortSignal.timeout(ms)]) }).catch(() => undefined)
}

/** On shutdown. Answers stay open, so that another process takes them over. */
export async function stopLiveAnswers(): Promise<void> {
  const going = [...answers.values()]
  for (const answer of going) answer.cancel()
  await Promise.allSettled(going.map((answer) => answer.finished))
}
