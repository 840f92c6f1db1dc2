import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'

const OWN_TABLE = /^(?:stage|undo|load|beside)_[0-9a-f]{32}(?:_\d{1,3})?$/

/** A table of the platform's own beside the data. */
export function ownTable(name: string): string {
  if (!OWN_TABLE.test(name)) throw new Error(`"${name}" is not the name of a table of a load.`)
  return `${LOADS_SCHEMA}.${name}`
}

const compact = (id: string) => id.replaceAll('-', '')

/** Every attempt has a stage of its own: one that lost its process may still be writing into its. */
export const stageName = (workId: string, attempt: number): string => `stage_${compact(workId)}_${attempt}`
/** Rows of a run on their way, and the table that is made to take another one's place. */
export const fillName = (loadId: string): string => `load_${compact(loadId)}`
export const besideName = (loadId: string): string => `beside_${compact(loadId)}`
export const keptName = (loadId: string): string => `undo_${compact(loadId)}`

/** Whose stage it is. */
export function parseWorkId(stage: string): string | undefined {
  const hex = /^stage_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_\d+$/.exec(stage)
  return hex?.slice(1).join('-')
}
