import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const copySignIn = defineJob({
  name: 'audit.copy-sign-in',
  payload: z.object({ scope: z.string(), seq: z.number() }),
  maxAttempts: 5,
  timeoutSeconds: 30,
})
