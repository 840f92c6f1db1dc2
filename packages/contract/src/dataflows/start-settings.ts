import { type ActivityKind, HOME_SCHEMA } from './dataflow-words.ts'
import type { DestinationSettings, SourceSettings, TransformationSettings, WriteStep } from './task-blocks.schemas.ts'
import { NO_TRIGGER } from './triggers.ts'

export type Settings = SourceSettings | TransformationSettings | DestinationSettings

const common = { trigger: NO_TRIGGER, attempts: 3, most_minutes: 60 } as const

export function startSettings(kind: ActivityKind, managedCode: string): Settings {
  switch (kind) {
    case 'Source':
      return { ...common, integration_trellis_code: null, subtasks: [] }
    case 'Transformation':
      return {
        ...common,
        integration_trellis_code: managedCode,
        language: 'sql',
        code: '',
        input: null,
        write: null,
        packages: [],
      }
    case 'Destination':
      return {
        ...common,
        integration_trellis_code: null,
        input: null,
        query: {},
        strategy: 'Append',
        dataModel: null,
      }
  }
}

const START_WRITE: Omit<WriteStep, 'table_name'> = {
  schema_name: HOME_SCHEMA,
  strategy: 'Append',
  dataModel: null,
  schema_policy: 'evolve',
  bad_rows: { choice: 'quarantine', most: 1000 },
}

export const writeInto = (table_name: string): WriteStep => ({ ...structuredClone(START_WRITE), table_name })

/** `Daily orders 2` → `daily_orders_2`. */
export function toTableName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
  return words === '' ? 'new_table' : /^\d/.test(words) ? `t_${words}`.slice(0, 60) : words
}
