import type { ActivityKind } from './dataflow-words.ts'
import type { DestinationSettings, SourceSettings, TransformationSettings } from './task-blocks.schemas.ts'
import { NO_TRIGGER } from './triggers.ts'

export type Settings = SourceSettings | TransformationSettings | DestinationSettings

const common = { trigger: NO_TRIGGER, attempts: 3, most_minutes: 60 } as const

/** What a new block begins with; transformations run where the workspace's data is. */
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
