import type { Settings } from '@trellis/contract/dataflows/start-settings'
import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import { transaction } from '@trellis/control-db/database'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { formatSettings } from '../block-settings.ts'
import { lockLiveBlock, insertFollowedVersion } from './data-model.repository.ts'

interface DataModelUpdate {
  readonly blockCode: string
  readonly subtask: string
  readonly fields: Readonly<Record<string, ColumnType>>
}

/**
 * Adds source columns to the published version and the draft, as a new version that can be reverted. Undefined if block
 * or data model is gone.
 */
export async function updateDataModel(ctx: SystemCtx, update: DataModelUpdate): Promise<number | undefined> {
  return await transaction(ctx, async (tx) => {
    const block = await lockLiveBlock(tx, update.blockCode)
    if (!block) return undefined
    const newLive = addFields(block.live, update)
    if (formatSettings(newLive) === formatSettings(block.live)) return undefined
    const version = block.version + 1
    const isDraftPublished = formatSettings(block.live) === formatSettings(block.draft)
    await insertFollowedVersion(tx, block.id, {
      version,
      live: formatSettings(newLive),
      draft: formatSettings(isDraftPublished ? newLive : addFields(block.draft, update)),
      // A different draft needs another version number.
      draftVersion: isDraftPublished ? version : version + 1,
      message: `Columns of the source: ${Object.keys(update.fields).join(', ')}`.slice(0, MAX_MESSAGE),
    })
    return version
  })
}
const MAX_MESSAGE = 500

function addFields(settings: Settings, { subtask, fields }: DataModelUpdate): Settings {
  const changeWrite = (write: WriteStep | null): WriteStep | null =>
    write?.dataModel
      ? { ...write, dataModel: { ...write.dataModel, fields: { ...write.dataModel.fields, ...fields } } }
      : write
  if ('subtasks' in settings) {
    const subtasks = settings.subtasks.map((otherSubtask) =>
      otherSubtask.name === subtask ? { ...otherSubtask, write: changeWrite(otherSubtask.write) } : otherSubtask,
    )
    return { ...settings, subtasks }
  }
  return 'write' in settings ? { ...settings, write: changeWrite(settings.write) } : settings
}
