import { AppError } from '../../../platform/app-error.ts'

/** Concurrent calls per account and process, each of which may hold a large response. */
const MAX_SLOTS = 10

const busy = new Map<number, number>()

export async function withAskSlot<T>({ id }: { readonly id: number }, work: () => Promise<T>): Promise<T> {
  const before = busy.get(id) ?? 0
  if (before >= MAX_SLOTS) {
    throw new AppError(
      'too_many_requests',
      'Too many questions to connected systems are under way. Wait for an answer.',
      {
        retryAfterSeconds: 5,
      },
    )
  }
  busy.set(id, before + 1)
  try {
    return await work()
  } finally {
    const left = (busy.get(id) ?? 1) - 1
    if (left > 0) busy.set(id, left)
    else busy.delete(id)
  }
}
