import { emptySchedule, WEEKDAYS, type ScheduleValue } from '@trellis/contract/dataflows/schedules'
import { toTableName, writeInto } from '@trellis/contract/dataflows/start-settings'
import type { Subtask } from '@trellis/contract/dataflows/task-blocks.schemas'
import { NO_TRIGGER, type TriggerForm } from '@trellis/contract/dataflows/triggers'
import { withCompletenessFlag } from '@trellis/contract/dataflows/trigger-changes'
import type { Forma, FormaElement, FormaValues } from '@trellis/contract/formas/forma'
import { listShownSections } from '@trellis/contract/formas/forma-rules'

/** The query element that selects tables; one subtask per choice. */
export interface Chooser {
  section: string
  element: Extract<FormaElement, { type: 'table_picker' | 'select' }>
}

export interface TableChoice {
  key: string
  label: string
  group: string
  note: string
  value: unknown
}

/** Null where the query is typed: files, SQL. */
export function findChooser(forma: Forma, values: FormaValues): Chooser | null {
  const shown = listShownSections(forma, values).flatMap(({ reference, elements }) =>
    elements.map((element) => ({ section: reference, element })),
  )
  const isTable = ({ element }: (typeof shown)[number]) =>
    element.type === 'table_picker' && element.properties.picks === 'table'
  const isOpenSelect = ({ element }: (typeof shown)[number]) =>
    element.type === 'select' && element.is_optional !== true && element.default === undefined
  return (shown.find(isTable) ?? shown.find(isOpenSelect) ?? null) as Chooser | null
}

export function withoutElement(forma: Forma, chooser: Chooser): Forma {
  const sections = forma.sections.map((section) =>
    section.reference === chooser.section
      ? { ...section, elements: section.elements.filter(({ reference }) => reference !== chooser.element.reference) }
      : section,
  )
  return { ...forma, sections }
}

export const withChoice = (values: FormaValues, { section, element }: Chooser, value: unknown): FormaValues => ({
  ...values,
  [section]: { ...values[section], [element.reference]: value },
})

/** `exports/orders.csv?token=1` → `orders`. */
export function toFileName(text: string): string {
  const [line = ''] = text.trim().split(/\r?\n/)
  const last = line.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? ''
  return last.replace(/(\.[a-z0-9]{1,8})+$/i, '')
}

export interface PlannedTable {
  name: string
  query: FormaValues
}

/** Leaves room for a numeric suffix. */
const NUMBERED_LENGTH = 54

/**
 * Full refresh with Replace works without key and cursor, but would delete the rows of an existing table: those get a
 * new name.
 */
export function toSubtasks(tables: readonly PlannedTable[], existing: readonly string[]): Subtask[] {
  const taken = new Set(existing)
  return tables.map(({ name, query }) => {
    const tableName = toTableName(name)
    let [free, table] = [name, tableName]
    for (let number = 2; taken.has(table); number += 1)
      [free, table] = [`${name} ${number}`, `${tableName.slice(0, NUMBERED_LENGTH)}_${number}`]
    taken.add(table)
    return { name: free, query, is_incremental: false, write: { ...writeInto(table), strategy: 'Replace' as const } }
  })
}

/** Tables renamed because their name is taken. */
export function listRenamed(tables: readonly PlannedTable[], subtasks: readonly Subtask[]): string[] {
  return subtasks.flatMap(({ write }, index) => {
    const tableName = toTableName(tables[index]?.name ?? '')
    if (!write || write.table_name === tableName) return []
    return [
      `${write.schema_name}.${tableName} is taken: ${tables[index]?.name} goes into ${write.schema_name}.${write.table_name}.`,
    ]
  })
}

export const PACES = ['hourly', 'daily', 'weekdays', 'manual'] as const
export type Pace = (typeof PACES)[number]

export interface StartTime {
  pace: Pace
  hour: number
  zone: string
}

function toSchedule({ pace, hour, zone }: StartTime): ScheduleValue | null {
  if (pace === 'manual') return null
  if (pace === 'hourly')
    return { scheduleType: 'Interval Schedule', scheduleArgs: { hourInterval: 1, minutesInterval: 0 } }
  const schedule = emptySchedule('List Schedule')
  const weekdays = pace === 'daily' ? [...WEEKDAYS] : WEEKDAYS.slice(0, 5)
  return { ...schedule, scheduleArgs: { timezone: zone, timeList: String(hour), weekdays } } as ScheduleValue
}

export function toTrigger(when: StartTime, id: string): TriggerForm {
  const schedule = toSchedule(when)
  if (!schedule) return NO_TRIGGER
  return withCompletenessFlag({
    eventEvaluationType: 'Or',
    actions: { [id]: { action: 'Schedule', order: 0, actionValue: schedule } },
    isFormaComplete: false,
  })
}

export const toHourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

export function describeWhen({ pace, hour, zone }: StartTime): string {
  const timeText = `at ${toHourText(hour)}, ${zone.replaceAll('_', ' ')}`
  if (pace === 'manual') return 'Runs only when you start it'
  if (pace === 'hourly') return 'Runs every hour'
  return pace === 'daily' ? `Runs every day ${timeText}` : `Runs Monday to Friday ${timeText}`
}
