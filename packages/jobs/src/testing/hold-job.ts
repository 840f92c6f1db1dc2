import * as z from 'zod/mini'
import { defineJob } from '../define-job.ts'

export const hold = defineJob({
  name: 'test.hold',
  payload: z.object({ id: z.number() }),
  maxAttempts: 3,
  timeoutSeconds: 600,
})
