import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const provisionWorkspace = defineJob({
  name: 'workspaces.provision',
  payload: z.object({ workspace_id: z.number() }),
  maxAttempts: 4,
  timeoutSeconds: 60,
  backoff: { firstSeconds: 1, maxSeconds: 5 },
  concurrency: 4,
})

/** Moves to another cluster whose process died. */
export const endBrokenMoves = defineJob({
  name: 'workspaces.end-broken-moves',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 600,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '* * * * *' },
})

export const removeGoneWorkspaces = defineJob({
  name: 'workspaces.remove-gone',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '*/10 * * * *' },
})
