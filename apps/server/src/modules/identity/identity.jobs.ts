import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

/** Writes the activation code's mail, or tells the owner of a known e-mail that somebody tried to sign up with it. */
export const sendSignupMail = defineJob({
  name: 'identity.send-signup-mail',
  payload: z.object({ signup_id: z.uuid() }),
  maxAttempts: 5,
  timeoutSeconds: 30,
})

/** The e-mail is all that was given; whether it belongs to anybody is looked up here, out of the request's sight. */
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
