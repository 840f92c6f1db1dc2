import { workIdOf } from '@trellis/workspace-db/loads/identifiers'
import { dropStage, listOwnTables } from '@trellis/workspace-db/loads/stage'
import { stagedFromOf } from './file-plan.ts'
import { type JobWork, databaseOf, withLoadSession } from './job-work.ts'
import { findFileRow, forgetStage } from './uploads.repository.ts'

/** Drops every stage the job made, whichever try made it, also the one its file would wait with. */
export async function dropStages(work: JobWork): Promise<void> {
  const { ctx, job } = work
  const staged = await findStaged(work)
  if (job.file_id !== null && staged !== undefined && workIdOf(staged.stage) === job.id) {
    await forgetStage(ctx, job.file_id, staged.text)
  }
  await dropAllBut(work, undefined)
}

/** Drops the stages of tries that did not come through. */
export async function dropUnusedStages(work: JobWork): Promise<void> {
  await dropAllBut(work, (await findStaged(work))?.stage)
}

async function findStaged({ ctx, job }: JobWork): Promise<{ stage: string; text: string } | undefined> {
  const file = job.file_id === null ? undefined : await findFileRow(ctx, job.file_id)
  const staged = file && stagedFromOf(file)
  return staged && { stage: staged.stage, text: file.staged_from ?? '' }
}

async function dropAllBut(work: JobWork, kept: string | undefined): Promise<void> {
  if (work.job.kind !== 'validate' && work.job.kind !== 'deliver') return
  await withLoadSession(await databaseOf(work), undefined, async (session) => {
    const stages = await listOwnTables(session, 'stage')
    for (const stage of stages) if (stage !== kept && workIdOf(stage) === work.job.id) await dropStage(session, stage)
  })
}
