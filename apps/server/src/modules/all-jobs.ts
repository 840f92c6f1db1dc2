import { type JobHandler, handleJob } from '@trellis/jobs/run-jobs'
import type { SystemCtx } from '../platform/ctx.ts'
import { forgetOldIdentity, sendResetMail, sendSignupMail } from './identity/identity.jobs.ts'
import { handleForgetOld, handleSendResetMail, handleSendSignupMail } from './identity/send-codes.handler.ts'
import { handleProvision, handleRemoveGone } from './workspaces/provision.handler.ts'
import { provisionWorkspace, removeGoneWorkspaces } from './workspaces/workspaces.jobs.ts'

export const allJobs: readonly JobHandler<SystemCtx>[] = [
  handleJob(sendSignupMail, handleSendSignupMail),
  handleJob(sendResetMail, handleSendResetMail),
  handleJob(forgetOldIdentity, handleForgetOld),
  handleJob(provisionWorkspace, handleProvision),
  handleJob(removeGoneWorkspaces, handleRemoveGone),
]
