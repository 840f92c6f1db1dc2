import type { Reading } from '@trellis/connector-kit/connector'
import { toDataModel } from '@trellis/connector-kit/preview'
import type { Subtask, WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import type { SchemaQuestion } from '@trellis/contract/runs/runs.schemas'
import { type LoadPlan, planLoad } from '@trellis/loads/plan/load-plan'
import {
  type Answer,
  type SchemaChange,
  canKeep,
  toChangeId,
  describeSchemaChange,
  describeIgnoredChange,
} from '@trellis/loads/plan/schema-change'
import {
  type SourceChange,
  type SourceFields,
  type SourceMemory,
  getAcceptedFields,
  followSourceFields,
  isSourceChange,
} from '@trellis/loads/plan/source-change'
import { type ExistingTable, type WantedTable, getWantedTable } from '@trellis/loads/plan/tables'
import type { Target } from '@trellis/loads/target'
import { RunFault, type RunRequest } from '../../runner/run-work.ts'
import { acceptsSchemaChanges } from '../dry-run.ts'
import { findFixedTypeColumn, describeDependentViews } from './held-columns.ts'

export interface PlanSubtaskInput {
  readonly subtask: Pick<Subtask, 'name'>
  readonly write: WriteStep
  readonly reading: Pick<Reading, 'fields' | 'key' | 'cursor' | 'isSampled'>
  readonly target: Target | undefined
  readonly memory: SourceMemory | null
  readonly request: RunRequest
  /** Fields that depend on the block's settings, not on the source. */
  readonly ownFields?: readonly string[]
}

export type ReadyPlan = Extract<LoadPlan, { do: 'load' }> & {
  readonly wanted: WantedTable
  /** Columns hashed to compare source and table. */
  readonly proofKey: readonly string[]
  readonly memory: SourceMemory
  readonly modelFields: SourceFields
  readonly changes: readonly string[]
}

/** Returns the plan, or throws a fault that says what to decide or fix first. */
export function planSubtask(input: PlanSubtaskInput): ReadyPlan {
  const { write, target, subtask, memory, request: runRequest, ownFields = [] } = input
  const currentFields = getPresentFields(input)
  const followedModel = followModel(input, currentFields)
  const wantedTable = toWantedTable(input, followedModel)
  const request = {
    strategy: write.strategy,
    wanted: wantedTable,
    existing: target ? toExistingTable(target, wantedTable) : null,
    policy: write.schema_policy,
    answers: { ...memory?.answers, ...runRequest.answers?.[subtask.name] },
    source: memory && buildSourceChange({ before: memory.fields, now: currentFields }, write.dataModel, followedModel),
    ownColumns: ownFields.map((field) => write.dataModel?.column_mapping[field] ?? field),
  }
  const firstPlan = planLoad(request)
  const settledRequest =
    firstPlan.do === 'ask' && acceptsSchemaChanges(runRequest) ? acceptChanges(request, firstPlan.questions) : request
  const plan = settledRequest === request ? firstPlan : planLoad(settledRequest)
  if (plan.do !== 'load') throw toPlanFault(plan, subtask.name, target)
  const { leave } = plan
  const pauseNotes = firstPlan.do === 'ask' && runRequest.is_shadow ? [PAUSE_NOTE] : []
  return {
    ...plan,
    wanted: wantedTable,
    proofKey: getProofKey(wantedTable, target),
    log: [...listExcludedColumns(input, followedModel), ...pauseNotes, ...plan.log],
    memory: {
      fields: currentFields,
      answers: Object.fromEntries(leave.map((change) => [toChangeId(change), 'keep' as const])),
    },
    changes: describeUnaskedChanges(plan, {
      source: request.source,
      decided: runRequest.answers?.[subtask.name] ?? {},
    }),
    modelFields:
      write.dataModel && followedModel
        ? getAcceptedFields({ model: write.dataModel, followed: followedModel }, leave)
        : {},
  }
}

/** Without what a person decided on. */
const describeUnaskedChanges = (
  { make, leave }: Pick<ReadyPlan, 'make' | 'leave'>,
  { source, decided }: { source: SourceChange | null; decided: Readonly<Record<string, Answer>> },
): string[] =>
  [...make, ...leave.filter(({ kind }) => kind === 'gone')]
    .filter((change) => isSourceChange(change, source) && decided[toChangeId(change)] === undefined)
    .map(describeSchemaChange)

const PAUSE_NOTE = 'A run would pause here and ask whether to make these changes:'

const acceptChanges = <R extends { answers: Readonly<Record<string, Answer>> }>(
  request: R,
  open: readonly SchemaChange[],
): R => ({
  ...request,
  answers: { ...request.answers, ...Object.fromEntries(open.map((change) => [toChangeId(change), 'change' as const])) },
})

/** A sample does not prove that a field is gone or has another type. */
function getPresentFields({ reading, memory }: PlanSubtaskInput): SourceFields {
  const currentFields = Object.fromEntries(reading.fields.map(({ name, type }) => [name, type]))
  return reading.isSampled ? { ...currentFields, ...memory?.fields } : currentFields
}

/** Null without a data model. A table not created yet uses the model as chosen. */
function followModel({ write, target, memory }: PlanSubtaskInput, currentFields: SourceFields): SourceDataModel | null {
  if (!write.dataModel) return null
  const canFollow = target !== undefined || write.schema_policy === 'evolve'
  return followSourceFields(write.dataModel, currentFields, canFollow ? (memory?.fields ?? null) : null)
}

function buildSourceChange(
  { before, now: currentFields }: { before: SourceFields; now: SourceFields },
  model: SourceDataModel | null,
  followedModel: SourceDataModel | null,
): SourceChange {
  const toColumnName = (field: string) => model?.column_mapping[field] ?? field
  const toColumnTypes = (fields: SourceFields): SourceFields =>
    Object.fromEntries(Object.entries(fields).map(([field, type]) => [toColumnName(field), type]))
  const added = Object.keys(followedModel?.fields ?? {}).filter((field) => !Object.hasOwn(model?.fields ?? {}, field))
  return { before: toColumnTypes(before), now: toColumnTypes(currentFields), added: added.map(toColumnName) }
}

function toPlanFault(plan: Exclude<LoadPlan, { do: 'load' }>, subtask: string, target: Target | undefined): RunFault {
  switch (plan.do) {
    case 'ask': {
      const { questions } = plan
      const changes = questions.map((change) => toQuestion(change, target))
      const fixedTypeNotes = [...new Set(changes.flatMap((change) => (change.held ? [change.held.in_words] : [])))]
      return new RunFault('schema_changed', questions.map(describeSchemaChange).join(' '), {
        advice:
          fixedTypeNotes.length > 0
            ? fixedTypeNotes.join(' ')
            : 'Accept the changes, keep the table as it is, or change the data model of the block.',
        subtask,
        question: {
          changes,
          ...(fixedTypeNotes.length > 0 && target && { table: { schema: target.schema, table: target.table } }),
          can_keep: questions.every(canKeep),
          decision: null,
        },
      })
    }
    case 'fail':
      return new RunFault('schema_changed', plan.changes.map(describeSchemaChange).join(' '), {
        advice:
          'The table is kept as it is, so the run fails and nothing is written. Choose “Follow them” or “Ask first” and publish the block to take the changes in.',
        subtask,
      })
    case 'pause':
      return new RunFault('configuration', plan.reason, {
        advice: 'Choose another primary key in the table setup and publish the block.',
        subtask,
      })
    default:
      return new RunFault('configuration', plan.reason, { subtask })
  }
}

/** Append needs no key, but the target table may have one. */
const getProofKey = ({ primaryKey, columns }: WantedTable, target: Target | undefined) => {
  const tableKey = target?.primaryKey ?? []
  if (primaryKey.length > 0) return primaryKey
  return tableKey.every((key) => columns.some(({ name }) => name === key)) ? tableKey : []
}

function toQuestion(change: SchemaChange, target: Target | undefined): SchemaQuestion['changes'][number] {
  const column = findFixedTypeColumn(change, target)
  return {
    id: toChangeId(change),
    in_words: describeSchemaChange(change),
    if_kept: describeIgnoredChange(change),
    ...(target && column !== undefined && { held: { column, in_words: describeDependentViews(target, column) } }),
  }
}

function toWantedTable({ write, reading, subtask }: PlanSubtaskInput, chosen: SourceDataModel | null): WantedTable {
  const model = chosen ? keepPresentFields(chosen, reading) : inferModel(write, reading)
  const newestBy = reading.cursor !== null && Object.hasOwn(model.fields, reading.cursor) ? reading.cursor : null
  try {
    return getWantedTable(model, newestBy)
  } catch (error) {
    throw new RunFault('configuration', (error as Error).message, { subtask: subtask.name, cause: error })
  }
}

/** Append may insert a key twice, so it infers none. */
function inferModel({ strategy }: WriteStep, reading: PlanSubtaskInput['reading']): SourceDataModel {
  const model = toDataModel(reading)
  return strategy === 'Append' ? { ...model, primary_keys: [] } : model
}

function keepPresentFields(model: SourceDataModel, { fields }: PlanSubtaskInput['reading']): SourceDataModel {
  const presentNames = new Set(fields.map(({ name }) => name))
  const presentEntries = Object.entries(model.fields).filter(([field]) => presentNames.has(field))
  return { ...model, fields: Object.fromEntries(presentEntries) as Record<string, ColumnType> }
}

const MAX_NAMED = 10

/** A chosen model excludes new columns, which the log lists. */
function listExcludedColumns({ reading }: PlanSubtaskInput, model: SourceDataModel | null): string[] {
  const names = model ? reading.fields.map(({ name }) => name).filter((name) => !Object.hasOwn(model.fields, name)) : []
  if (names.length === 0) return []
  const moreText = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const namesText = `${names.slice(0, MAX_NAMED).join(', ')}${moreText}`
  return [
    names.length === 1
      ? `The column ${namesText} of the source is not in the data model and is ignored.`
      : `Columns of the source that are not in the data model are ignored: ${namesText}.`,
  ]
}

/** Columns with defaults need no source. */
function toExistingTable(
  { columns, primaryKey, hasDependents: isHeld, fixedTypeColumns: heldColumns }: Target,
  wantedTable: WantedTable,
): ExistingTable {
  const isWritten = (name: string) => wantedTable.columns.some((column) => column.name === name)
  const selfFilledColumns = new Set(
    columns
      .filter((column) => column.hasDefault || column.isIdentity || column.isGenerated)
      .map(({ name }) => name)
      .filter((name) => !isWritten(name)),
  )
  return {
    columns: columns.map(({ name, type, isNullable }) => ({
      name,
      type,
      isNullable: isNullable || selfFilledColumns.has(name),
    })),
    primaryKey: primaryKey.some((name) => selfFilledColumns.has(name)) ? [] : primaryKey,
    hasDependents: isHeld,
    fixedTypeColumns: heldColumns,
  }
}
