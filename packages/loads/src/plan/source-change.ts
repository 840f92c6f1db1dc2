import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import { typeRelation } from './column-change.ts'
import { type Answer, type SchemaChange, isOwnChange } from './schema-change.ts'
import { postgresType } from './tables.ts'

export type SourceFields = Readonly<Record<string, ColumnType>>

export interface SourceMemory {
  readonly fields: SourceFields
  readonly answers: Readonly<Record<string, Answer>>
}

export interface SourceChange {
  readonly before: SourceFields
  readonly now: SourceFields
  readonly added: readonly string[]
}

/** As opposed to a change of the table or the data model. */
export function isSourceChange(change: SchemaChange, source: SourceChange | null): boolean {
  if (!source || isOwnChange(change)) return false
  if (change.kind === 'change_key') return true
  const { before, now } = source
  return before[change.column] !== now[change.column]
}

export function followSource(model: SourceDataModel, now: SourceFields, before: SourceFields | null): SourceDataModel {
  if (!before) return model
  const fields = { ...model.fields }
  for (const [field, type] of Object.entries(now)) {
    const chosen = model.fields[field]
    const old = Object.hasOwn(before, field) ? before[field] : undefined
    if (chosen === undefined) {
      if (old === undefined) fields[field] = type
    } else if (old !== undefined && old !== type && (chosen === old || !canHold(chosen, type))) fields[field] = type
  }
  return { ...model, fields }
}

const canHold = (chosen: ColumnType, type: ColumnType): boolean =>
  chosen === 'text' || ['same', 'narrower'].includes(typeRelation(postgresType(chosen), type))

export function getAcceptedFields(
  { model, followed }: { model: SourceDataModel; followed: SourceDataModel },
  leave: readonly SchemaChange[],
): SourceFields {
  const isLeft = (field: string) => {
    const name = followed.column_mapping[field] ?? field
    return leave.some((change) => 'type' in change && change.column === name)
  }
  return Object.fromEntries(
    Object.entries(followed.fields).filter(([field, type]) => model.fields[field] !== type && !isLeft(field)),
  )
}
