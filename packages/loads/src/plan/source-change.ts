import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import { compareTypes } from './column-change.ts'
import { type Answer, type SchemaChange, isOwnChange } from './schema-change.ts'
import { toPostgresType } from './tables.ts'

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
  const { before: previous, now: current } = source
  return previous[change.column] !== current[change.column]
}

export function followSourceFields(
  model: SourceDataModel,
  current: SourceFields,
  previous: SourceFields | null,
): SourceDataModel {
  if (!previous) return model
  const fields = { ...model.fields }
  for (const [field, type] of Object.entries(current)) {
    const chosenType = model.fields[field]
    const previousType = Object.hasOwn(previous, field) ? previous[field] : undefined
    if (chosenType === undefined) {
      if (previousType === undefined) fields[field] = type
    } else if (
      previousType !== undefined &&
      previousType !== type &&
      (chosenType === previousType || !canHold(chosenType, type))
    )
      fields[field] = type
  }
  return { ...model, fields }
}

const canHold = (chosenType: ColumnType, type: ColumnType): boolean =>
  chosenType === 'text' || ['same', 'narrower'].includes(compareTypes(toPostgresType(chosenType), type))

export function getAcceptedFields(
  { model, followed }: { model: SourceDataModel; followed: SourceDataModel },
  leave: readonly SchemaChange[],
): SourceFields {
  const isLeftOut = (field: string) => {
    const name = followed.column_mapping[field] ?? field
    return leave.some((change) => 'type' in change && change.column === name)
  }
  return Object.fromEntries(
    Object.entries(followed.fields).filter(([field, type]) => model.fields[field] !== type && !isLeftOut(field)),
  )
}
