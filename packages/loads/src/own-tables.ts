import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'

const PLATFORM_TABLE = /^(?:stage|undo|load|beside)_[0-9a-f]{32}(?:_\d{1,3})?$/

/** The name with its schema, for use in SQL. Throws for a name that the platform does not give. */
export function qualifyPlatformTable(name: string): string {
  if (!PLATFORM_TABLE.test(name)) throw new Error(`"${name}" is not the name of a table of a load.`)
  return `${LOADS_SCHEMA}.${name}`
}

const removeDashes = (id: string) => id.replaceAll('-', '')

/** One staging table per attempt: a lost worker may still be writing into its own. */
export const toStageName = (workId: string, attempt: number): string => `stage_${removeDashes(workId)}_${attempt}`
/** A load's staging table is unlogged: empty after a crash. An export's snapshot has this name too, and is logged. */
export const toStagingTableName = (loadId: string): string => `load_${removeDashes(loadId)}`
/**
 * Logged: keeps its rows over a crash. Replaces the target, or holds rows until they are compared with it: those of a
 * dry run, and duplicates without a key.
 */
export const toDurableTableName = (loadId: string): string => `beside_${removeDashes(loadId)}`
export const toUndoTableName = (loadId: string): string => `undo_${removeDashes(loadId)}`

export function parseWorkId(stage: string): string | undefined {
  const match = /^stage_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_\d+$/.exec(stage)
  return match?.slice(1).join('-')
}
