import { toTableName, writeInto } from '@trellis/contract/dataflows/start-settings'
import { MAX_SUBTASKS, type Subtask } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { listShownSections } from '@trellis/contract/formas/forma-rules'

function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name
  let number = 2
  while (taken.includes(`${name} ${number}`)) number += 1
  return `${name} ${number}`
}

export const canAddSubtask = (subtasks: readonly Subtask[]): boolean => subtasks.length < MAX_SUBTASKS

export function withNewSubtask(subtasks: readonly Subtask[], query: FormaValues): Subtask[] {
  if (!canAddSubtask(subtasks)) return [...subtasks]
  const name = freeName(`Subtask ${subtasks.length + 1}`, listNames(subtasks))
  return [...subtasks, { name, query, is_incremental: false, write: writeInto(toTableName(name)) }]
}

/** Inserted after the original, with its own table name. */
export function withCopy(subtasks: readonly Subtask[], subtaskIndex: number): Subtask[] {
  const original = subtasks[subtaskIndex]
  if (!original || !canAddSubtask(subtasks)) return [...subtasks]
  const name = freeName(original.name, listNames(subtasks))
  const write = original.write && { ...original.write, table_name: toTableName(name) }
  return subtasks.toSpliced(subtaskIndex + 1, 0, { ...structuredClone(original), name, write })
}

export const withoutSubtask = (subtasks: readonly Subtask[], subtaskIndex: number): Subtask[] =>
  subtasks.toSpliced(subtaskIndex, 1)

export function withMoved(subtasks: readonly Subtask[], subtaskIndex: number, by: -1 | 1): Subtask[] {
  const subtask = subtasks[subtaskIndex]
  const to = subtaskIndex + by
  if (!subtask || to < 0 || to >= subtasks.length) return [...subtasks]
  return subtasks.toSpliced(subtaskIndex, 1).toSpliced(to, 0, subtask)
}

/** A table name derived from the old name follows. */
export function withName(subtasks: readonly Subtask[], subtaskIndex: number, name: string): Subtask[] {
  return subtasks.map((subtask, index) => {
    if (index !== subtaskIndex) return subtask
    const follows = subtask.write !== null && subtask.write.table_name === toTableName(subtask.name)
    return {
      ...subtask,
      name,
      write: subtask.write && follows ? { ...subtask.write, table_name: toTableName(name) } : subtask.write,
    }
  })
}

export function findNameProblem(subtasks: readonly Subtask[], subtaskIndex: number): string | undefined {
  const name = subtasks[subtaskIndex]?.name.trim() ?? ''
  if (name === '') return 'Field required'
  const isTaken = subtasks.some((subtask, index) => index !== subtaskIndex && subtask.name.trim() === name)
  return isTaken ? 'Another subtask has this name' : undefined
}

const UNNAMED = /^Subtask \d+$/

interface ReadChange {
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Subtasks are named after their table until renamed. */
export function withSuggestedName(
  subtasks: readonly Subtask[],
  subtaskIndex: number,
  { from, to }: ReadChange,
): Subtask[] {
  const subtask = subtasks[subtaskIndex]
  if (!subtask || !to) return [...subtasks]
  const follows = UNNAMED.test(subtask.name) || (from !== to && isNamedAfter(subtask.name, from))
  if (!follows) return [...subtasks]
  const others = listNames(subtasks.toSpliced(subtaskIndex, 1))
  return withName(subtasks, subtaskIndex, freeName(toSubtaskName(to), others))
}

const toSubtaskName = (what: string): string => what.slice(0, 90)

/** With or without a disambiguating number. */
const isNamedAfter = (name: string, what: string | undefined): boolean =>
  what !== undefined && name.startsWith(toSubtaskName(what)) && /^( \d+)?$/.test(name.slice(toSubtaskName(what).length))

/** The table's label, or that of the first list element. Undefined while no table is chosen. */
export function describeSource(forma: Forma, values: FormaValues): string | undefined {
  const shown = listShownSections(forma, values).flatMap(({ reference, elements }) =>
    elements.map((element) => ({ element, value: values[reference]?.[element.reference] })),
  )
  const picker = shown.find(({ element }) => element.type === 'table_picker')
  if (picker) return (picker.value as { table?: string } | undefined)?.table
  for (const { element, value } of shown) {
    if (element.type === 'select' && typeof value === 'string') {
      // Auto-detection does not name a source.
      if (value === 'auto') return undefined
      return element.properties.options.find((option) => option.value === value)?.label ?? value
    }
  }
  return undefined
}

/** CDC, including deletes. */
export const readsChanges = (query: FormaValues): boolean => query['query']?.['kind'] === 'changes'

export const isContinuousSubtask = (query: FormaValues): boolean =>
  readsChanges(query) && query['query']?.['is_continuous'] === true

const listNames = (subtasks: readonly Subtask[]): string[] => subtasks.map(({ name }) => name)
