import { parentPort } from 'node:worker_threads'

export type ThreadTasks = Record<string, (input: never) => unknown>
interface ThreadRequest {
  readonly task: string
  readonly input: unknown
}
export type ThreadReply = { readonly value: unknown } | { readonly error: unknown }

export function serveThread(tasks: ThreadTasks): void {
  const port = parentPort
  if (!port) throw new Error('This file is the inside of a thread.')
  port.on('message', ({ task, input }: ThreadRequest) => {
    void answer(tasks[task], input).then((reply) => port.postMessage(reply))
  })
}

async function answer(task: ThreadTasks[string] | undefined, input: unknown): Promise<ThreadReply> {
  try {
    return { value: await task?.(input as never) }
  } catch (error) {
    return { error }
  }
}
