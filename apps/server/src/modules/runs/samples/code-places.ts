import { AppError } from '../../../platform/app-error.ts'

/** Each sandbox takes memory of the API process. */
const MAX_PLACES = 8
const MAX_PER_WORKSPACE = 2
const taken = new Map<number, number>()

export async function withCodePlace<T>(workspaceId: number, work: () => Promise<T>): Promise<T> {
  const own = taken.get(workspaceId) ?? 0
  const all = [...taken.values()].reduce((sum, count) => sum + count, 0)
  if (own >= MAX_PER_WORKSPACE || all >= MAX_PLACES) {
    throw new AppError('too_many_requests', 'Other code is being tried out. Wait a few seconds and try again.', {
      retryAfterSeconds: 5,
    })
  }
  taken.set(workspaceId, own + 1)
  try {
    return await work()
  } finally {
    const left = (taken.get(workspaceId) ?? 1) - 1
    if (left === 0) taken.delete(workspaceId)
    else taken.set(workspaceId, left)
  }
}
