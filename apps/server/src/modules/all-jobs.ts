import { type JobHandler, handleJob } from '@trellis/jobs/run-jobs'
import type { SystemCtx } from '../platform/ctx.ts'
import { askScheduled, checkConnectedVerified, checkVerified, queueScheduled, readDocument } from './ai/ai.jobs.ts'
import { handleAskScheduled, handleQueueScheduled } from './ai/schedules/ask-scheduled.handler.ts'
import { handleCheckConnectedVerified, handleCheckVerified } from './ai/verified/check-verified.handler.ts'
import { handleReadDocument } from './ai/documents/read-document.handler.ts'
import { copySignIn } from './audit/audit.jobs.ts'
import { handleCopySignIn } from './audit/copy-sign-in.handler.ts'
import { deleteExpiredAccounts, removeGoneAccounts } from './accounts/accounts.jobs.ts'
import { handleDeleteExpiredAccounts } from './accounts/delete-expired.handler.ts'
import { handleRemoveGoneAccounts } from './accounts/remove-gone.handler.ts'
import {
  grantMonths,
  notifyLowCredits,
  pollEvents,
  reconcileBilling,
  retryProviderUpdates,
  syncCustomerLater,
  updateProvider,
  workEvent,
} from './billing/billing.jobs.ts'
import { handleGrantMonths } from './billing/grant-months.handler.ts'
import { handleNotifyLowCredits } from './billing/low-credits.handler.ts'
import { handleRetryProviderUpdates, handleUpdateProvider } from './billing/update-provider.handler.ts'
import { handlePollEvents, handleReconcile, handleSyncCustomer, handlePaymentEvent } from './billing/inbox.service.ts'
import { handleSendWebhook, handleWatchRuns } from './dataflows/alerts/alerts.handler.ts'
import { handleClearDataflows } from './dataflows/clear-deleted.handler.ts'
import { clearDataflows, sendWebhook, watchRuns } from './dataflows/dataflows.jobs.ts'
import { handleAddFlow } from './demo/add-flow.handler.ts'
import { addFlow, fillSample } from './demo/demo.jobs.ts'
import { handleFillSample } from './demo/fill-sample.handler.ts'
import { handleExport, handleRemoveExpired } from './explorer/export.handler.ts'
import { endStrays, keepDatabaseTables, sweepDatabaseAccess } from './database-admin/database-admin.jobs.ts'
import { handleEndStraySessions, handleKeepTables, handleSweep } from './database-admin/sweep.handler.ts'
import { removeExpiredExports, writeExport } from './explorer/explorer.jobs.ts'
import { purgeRecycleBin } from './recycle-bin/recycle-bin.jobs.ts'
import { handlePurgeRecycleBin } from './recycle-bin/purge.handler.ts'
import { forgetOldIdentity, sendResetMail, sendSignupMail } from './identity/identity.jobs.ts'
import { handleForgetOld, handleSendResetMail, handleSendSignupMail } from './identity/send-codes.handler.ts'
import { clearIntegrations, validateIntegration } from './integrations/integrations.jobs.ts'
import { handleClearIntegrations, handleValidate } from './integrations/validate.handler.ts'
import { handleRemoveDeletedProjects } from './worksheets/removal/remove-projects.handler.ts'
import { removeDeletedProjects } from './worksheets/removal/worksheets.jobs.ts'
import { handleClearLoads } from './runs/clear-loads.handler.ts'
import { handleUndoRun } from './runs/loaded/undo-run.handler.ts'
import { handlePruneRuns } from './runs/prune.handler.ts'
import { clearLoads, pruneRuns, takeRunBack, watchSlots } from './runs/runs.jobs.ts'
import { handleWatchSlots } from './runs/slots/watch-slots.handler.ts'
import { endLapsedMoves } from '../platform/clusters/moves/end-move.ts'
import { handleProvision } from './workspaces/provision.handler.ts'
import { handleRemoveGoneWorkspaces } from './workspaces/remove-gone.handler.ts'
import { handleCheckSparks } from './sparks/checks/check-sparks.handler.ts'
import { handlePruneSparkRows } from './sparks/data/prune-rows.handler.ts'
import { handleMailSpark, handleQueueSparkMails } from './sparks/schedules/mail-spark.handler.ts'
import { checkSparks, mailSpark, pruneSparkRows, queueSparkMails } from './sparks/sparks.jobs.ts'
import { handlePruneSqlJobs } from './sql/prune-jobs.handler.ts'
import { pruneSqlJobs } from './sql/sql.jobs.ts'
import { endBrokenMoves, provisionWorkspace, removeGoneWorkspaces } from './workspaces/workspaces.jobs.ts'
import { handleClearUploads } from './uploads/clear-uploads.handler.ts'
import { handleUploadJob } from './uploads/run-job.handler.ts'
import { clearUploads, runUploadJob } from './uploads/uploads.jobs.ts'
import { handleSendDigests } from './notifications/send-digests.handler.ts'
import { sendDigests } from './notifications/notifications.jobs.ts'
import { handleMeasureUsage } from './utilization/measure-usage.handler.ts'
import { measureUsage } from './utilization/utilization.jobs.ts'

export const allJobs: readonly JobHandler<SystemCtx>[] = [
  handleJob(sendSignupMail, handleSendSignupMail),
  handleJob(sendResetMail, handleSendResetMail),
  handleJob(forgetOldIdentity, handleForgetOld),
  handleJob(provisionWorkspace, handleProvision),
  handleJob(endBrokenMoves, endLapsedMoves),
  handleJob(removeGoneWorkspaces, handleRemoveGoneWorkspaces),
  handleJob(copySignIn, handleCopySignIn),
  handleJob(deleteExpiredAccounts, handleDeleteExpiredAccounts),
  handleJob(removeGoneAccounts, handleRemoveGoneAccounts),
  handleJob(updateProvider, handleUpdateProvider),
  handleJob(retryProviderUpdates, handleRetryProviderUpdates),
  handleJob(workEvent, handlePaymentEvent),
  handleJob(syncCustomerLater, handleSyncCustomer),
  handleJob(pollEvents, handlePollEvents),
  handleJob(reconcileBilling, handleReconcile),
  handleJob(grantMonths, handleGrantMonths),
  handleJob(notifyLowCredits, handleNotifyLowCredits),
  handleJob(measureUsage, handleMeasureUsage),
  handleJob(sendDigests, handleSendDigests),
  handleJob(writeExport, handleExport),
  handleJob(fillSample, handleFillSample),
  handleJob(addFlow, handleAddFlow),
  handleJob(removeExpiredExports, handleRemoveExpired),
  handleJob(purgeRecycleBin, handlePurgeRecycleBin),
  handleJob(removeDeletedProjects, handleRemoveDeletedProjects),
  handleJob(sweepDatabaseAccess, handleSweep),
  handleJob(endStrays, handleEndStraySessions),
  handleJob(keepDatabaseTables, handleKeepTables),
  handleJob(runUploadJob, handleUploadJob),
  handleJob(clearUploads, handleClearUploads),
  handleJob(validateIntegration, handleValidate),
  handleJob(clearIntegrations, handleClearIntegrations),
  handleJob(sendWebhook, handleSendWebhook),
  handleJob(watchRuns, handleWatchRuns),
  handleJob(clearDataflows, handleClearDataflows),
  handleJob(pruneRuns, handlePruneRuns),
  handleJob(watchSlots, handleWatchSlots),
  handleJob(clearLoads, handleClearLoads),
  handleJob(takeRunBack, handleUndoRun),
  handleJob(pruneSqlJobs, handlePruneSqlJobs),
  handleJob(readDocument, handleReadDocument),
  handleJob(queueScheduled, handleQueueScheduled),
  handleJob(checkVerified, handleCheckVerified),
  handleJob(checkConnectedVerified, handleCheckConnectedVerified),
  handleJob(askScheduled, handleAskScheduled),
  handleJob(queueSparkMails, handleQueueSparkMails),
  handleJob(mailSpark, handleMailSpark),
  handleJob(pruneSparkRows, handlePruneSparkRows),
  handleJob(checkSparks, handleCheckSparks),
]
