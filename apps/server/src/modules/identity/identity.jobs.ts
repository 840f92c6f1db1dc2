import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

/** For a known email, tells its owner instead. */
export const sendSignupMail = defineJob({
  name: 'identity.send-signup-mail',
  payload: z.object({ signup_id: z.uuid() }),
  maxAttempts: 5,
  timeoutSeconds: 30,
})

/** Looks up the email here, so that the request's timing reveals nothing. */
export const sendResetMail = defineJob({
  name: 'identity.send-reset-mail',
  payload: z.object({ email: z.string() }),
  maxAttempts: 5,
  timeoutSeconds: 30,
})

export const forgetOldIdentity = defineJob({
  name: 'identity.forget-old',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 120,
  cron: { expression: '17 * * * *' },
})
