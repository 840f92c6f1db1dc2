import { DataModel, type UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import * as z from 'zod/mini'

const Draft = z.object({ dialect: z.string(), tableName: z.string(), model: DataModel })

export interface ModelDraft {
  tableName: string
  model: DataModel
}

type DraftFile = Pick<UploadFile, 'file_id' | 'dialect'>

const toStorageKey = (file: DraftFile) => `trellis.upload.${file.file_id}`

/** Unsent edits survive a reload, unless the file was read in another way since. */
export function readDraft(file: DraftFile): ModelDraft | null {
  try {
    const parsed = Draft.safeParse(JSON.parse(sessionStorage.getItem(toStorageKey(file)) ?? 'null'))
    return parsed.success && parsed.data.dialect === JSON.stringify(file.dialect) ? parsed.data : null
  } catch {
    return null
  }
}

export function storeDraft(file: DraftFile, draft: ModelDraft): void {
  try {
    sessionStorage.setItem(toStorageKey(file), JSON.stringify({ ...draft, dialect: JSON.stringify(file.dialect) }))
  } catch {
    // A full localStorage costs only the draft.
  }
}

export function dropDraft(file: DraftFile): void {
  sessionStorage.removeItem(toStorageKey(file))
}
