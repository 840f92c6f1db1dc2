import { AppError } from '../../../platform/app-error.ts'

/** Each sandbox takes memory of the API process. */
const MAX_SANDBOXES = 8
const MAX_PER_WORKSPACE = 2
const sandboxesByWorkspace = new Map<number, number>()

export async function withSandboxSlot<T>(workspaceId: number, work: () => Promise<T>): Promise<T> {
  const workspaceCount = sandboxesByWorkspace.get(workspaceId) ?? 0
  const totalCount = [...sandboxesByWorkspace.values()].reduce((sum, count) => sum + count, 0)
  if (workspaceCount >= MAX_PER_WORKSPACE || totalCount >= MAX_SANDBOXES) {
    throw new AppError('too_many_requests', 'Other code is being tried out. Wait a few seconds and try again.', {
      retryAfterSeconds: 5,
    })
  }
  sandboxesByWorkspace.set(workspaceId, workspaceCount + 1)
  try {
    return await work()
  } finally {
    const remaining = (sandboxesByWorkspace.get(workspaceId) ?? 1) - 1
    if (remaining === 0) sandboxesByWorkspace.delete(workspaceId)
    else sandboxesByWorkspace.set(workspaceId, remaining)
  }
}
