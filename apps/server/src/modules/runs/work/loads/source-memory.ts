import type { SourceMemory } from '@trellis/loads/plan/source-change'
import { notifyOfChangedColumns } from '../../../dataflows/alerts.service.ts'
import { updateDataModel } from '../../../dataflows/models/data-model.service.ts'
import type { RunWork } from '../../runner/run-work.ts'
import type { ReadyPlan } from './plan-subtask.ts'
import { findSourceColumns, writeSourceColumns } from './source-memory.repository.ts'

/** With overrides another source may be read, whose columns say nothing about the block's. */
const readsOtherSource = ({ run: { request } }: Pick<RunWork, 'run'>) => Object.keys(request.overrides ?? {}).length > 0

export async function readSourceMemory(work: RunWork, subtask: string): Promise<SourceMemory | null> {
  if (readsOtherSource(work)) return null
  return await findSourceColumns(work.ctx, { blockCode: work.block.code, subtask })
}

/**
 * After the load: if the attempt dies before, the next one finds the same changes, and those already applied are no
 * changes.
 */
export async function saveSourceMemory(work: RunWork, subtask: string, plan: ReadyPlan): Promise<void> {
  if (work.run.request.is_shadow || readsOtherSource(work)) return
  const blockCode = work.block.code
  if (Object.keys(plan.modelFields).length > 0) {
    const version = await updateDataModel(work.ctx, { blockCode, subtask, fields: plan.modelFields })
    const names = Object.keys(plan.modelFields).join(', ')
    if (version)
      work.log('INFO', `The data model has ${names} as the source has; it is a new version of the block.`, subtask)
  }
  if (plan.changes.length > 0) await notifyOfChangedColumns(work.ctx, work.run.id, plan.changes)
  await writeSourceColumns(work.ctx, { blockCode, subtask }, plan.memory)
}
