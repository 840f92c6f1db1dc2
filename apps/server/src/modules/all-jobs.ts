import { type JobHandler, handleJob } from '@trellis/jobs/run-jobs'
import type { SystemCtx } from '../platform/ctx.ts'
import { forgetOldIdentity, sendResetMail, sendSignupMail } from './identity/identity.jobs.ts'
import { handleForgetOld, handleSendResetMail, handleSendSignupMail } from './identity/send-codes.handler.ts'

export const allJobs: readonly JobHandler<SystemCtx>[] = [
  handleJob(sendSignupMail, handleSendSignupMail),
  handleJob(sendResetMail, handleSendResetMail),
  handleJob(forgetOldIdentity, handleForgetOld),
]
