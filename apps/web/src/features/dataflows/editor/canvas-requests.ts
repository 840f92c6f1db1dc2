import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Group } from './model/changes.ts'
import type { Point } from './model/geometry.ts'

export type CanvasRequest =
  | { kind: 'add'; after: BlockCard | null; point: Point | null }
  | { kind: 'connect'; block: BlockCard }
  | { kind: 'rename'; block: BlockCard }
  | { kind: 'note'; block: BlockCard }
  | { kind: 'publish'; block: BlockCard }
  | { kind: 'run'; block: BlockCard }
  | { kind: 'trigger'; block: BlockCard }
  | { kind: 'group'; codes: readonly string[]; group: Group | null }
  | { kind: 'add-to-group'; codes: readonly string[] }
  | { kind: 'shortcuts' }
