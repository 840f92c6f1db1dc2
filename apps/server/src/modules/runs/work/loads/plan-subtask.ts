import type { Reading } from '@trellis/connector-kit/connector'
import { dataModelOf } from '@trellis/connector-kit/preview'
import type { Subtask, WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import { type LoadPlan, planLoad } from '@trellis/dataflow-engine/loads/load-plan'
import { changeId, changeInWords } from '@trellis/dataflow-engine/loads/schema-change'
import { type ExistingTable, type WantedTable, wantedTable } from '@trellis/dataflow-engine/loads/tables'
import type { Target } from '@trellis/workspace-db/loads/target'
import { RunFault } from '../run-work.ts'

/** What is read and known of where it goes. */
export interface Planning {
  readonly subtask: Pick<Subtask, 'name'>
  readonly write: WriteStep
  readonly reading: Pick<Reading, 'fields' | 'key' | 'cursor'>
  readonly target: Target | undefined
  readonly acceptsChanges: boolean
}

export type ReadyPlan = Extract<LoadPlan, { do: 'load' }> & {
  readonly wanted: WantedTable
  /** Columns whose values are compared between source and table. */
  readonly proofKey: readonly string[]
}

/** How rows get into the table, or a fault that says what has to be settled first. */
export function planSubtask(planning: Planning): ReadyPlan {
  const { write, target, subtask } = planning
  const wanted = wantedBy(planning)
  const request = {
    strategy: write.strategy,
    wanted,
    existing: target ? existingOf(target, wanted) : null,
    policy: write.schema_policy,
  }
  let plan = planLoad(request)
  if (plan.do === 'ask' && planning.acceptsChanges) {
    plan = planLoad({
      ...request,
      answers: Object.fromEntries(plan.questions.map((change) => [changeId(change), 'change'])),
    })
    if (plan.do === 'ask') throw heldFault(plan.questions.map(changeInWords), subtask.name)
  }
  switch (plan.do) {
    case 'load':
      return { ...plan, wanted, proofKey: proofKeyOf(wanted, target), log: [...leftOut(planning), ...plan.log] }
    case 'ask':
      throw new RunFault('schema_changed', plan.questions.map(changeInWords).join(' '), {
        advice: 'Agree to the changes to have them made, or change the data model of the block.',
        subtask: subtask.name,
      })
    case 'pause':
      throw new RunFault('configuration', plan.reason, {
        advice: 'Choose another primary key in the table setup and publish the block.',
        subtask: subtask.name,
      })
    default:
      throw new RunFault('configuration', plan.reason, { subtask: subtask.name })
  }
}

/** Append asks for no key, but the table it goes to may have one. */
const proofKeyOf = ({ primaryKey, columns }: WantedTable, target: Target | undefined) => {
  const there = target?.primaryKey ?? []
  if (primaryKey.length > 0) return primaryKey
  return there.every((key) => columns.some(({ name }) => name === key)) ? there : []
}

const heldFault = (changes: readonly string[], subtask: string) =>
  new RunFault('configuration', changes.join(' '), {
    advice: 'A view or a foreign key uses the table, so its columns can not change. Remove it first, or keep the type.',
    subtask,
  })

function wantedBy({ write, reading, subtask }: Planning): WantedTable {
  const model = write.dataModel ? presentIn(write.dataModel, reading) : inferred(write, reading)
  const newestBy = reading.cursor !== null && Object.hasOwn(model.fields, reading.cursor) ? reading.cursor : null
  try {
    return wantedTable(model, newestBy)
  } catch (error) {
    throw new RunFault('configuration', (error as Error).message, { subtask: subtask.name, cause: error })
  }
}

/** Append takes a row as often as it comes, also one whose key is there already: without being told so it makes no key. */
function inferred({ strategy }: WriteStep, reading: Planning['reading']): SourceDataModel {
  const model = dataModelOf(reading)
  return strategy === 'Append' ? { ...model, primary_keys: [] } : model
}

/** A chosen data model is what it is; what the source has no longer can not be read. */
function presentIn(model: SourceDataModel, { fields }: Planning['reading']): SourceDataModel {
  const there = new Set(fields.map(({ name }) => name))
  const present = Object.entries(model.fields).filter(([field]) => there.has(field))
  return { ...model, fields: Object.fromEntries(present) as Record<string, ColumnType> }
}

const MOST_NAMED = 10

/** A chosen data model takes nothing in by itself; whoever reads the log should not have to look for what is missing. */
function leftOut({ write: { dataModel }, reading }: Planning): string[] {
  const names = dataModel
    ? reading.fields.map(({ name }) => name).filter((name) => !Object.hasOwn(dataModel.fields, name))
    : []
  if (names.length === 0) return []
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  const list = `${names.slice(0, MOST_NAMED).join(', ')}${more}`
  return [
    names.length === 1
      ? `The column ${list} of the source is not in the data model and is ignored.`
      : `Columns of the source that are not in the data model are ignored: ${list}.`,
  ]
}

/** Columns that give themselves a value need none from the source. */
function existingOf({ columns, primaryKey, isHeld }: Target, wanted: WantedTable): ExistingTable {
  const isWanted = (name: string) => wanted.columns.some((column) => column.name === name)
  const ownValue = new Set(
    columns
      .filter((column) => column.hasDefault || column.isIdentity || column.isGenerated)
      .map(({ name }) => name)
      .filter((name) => !isWanted(name)),
  )
  return {
    columns: columns.map(({ name, type, isNullable }) => ({
      name,
      type,
      isNullable: isNullable || ownValue.has(name),
    })),
    primaryKey: primaryKey.some((name) => ownValue.has(name)) ? [] : primaryKey,
    isHeld,
  }
}
