import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'

const ACTION_TYPES = [
  'color',
  'snake',
  'help',
  'create_integration',
  'update_integration',
  'new_worksheet',
  'view_project',
  'view_worksheet',
  'upload_file',
  'view_database',
  'view_schema',
  'view_table',
] as const
export const ActionType = z.enum(ACTION_TYPES)
export type ActionType = z.infer<typeof ActionType>

const Code = z.string().check(z.regex(/^[a-z0-9]{1,40}$/))
export const ActionTypeParams = z.extend(WorkspaceParams, { action_type: ActionType })
export const ActionItemParams = z.extend(WorkspaceParams, { action_id: Code })
/** With a project, only tables and schemas that the project may read. */
export const ActionTypeQuery = z.object({ ai_project_id: z.optional(Code) })

export const Action = z.object({
  action_type: ActionType,
  title: z.string(),
  description: z.string(),
  /** `choice` takes one of the choices of `getAction`, `text` any text. */
  argument: z.object({ kind: z.enum(['none', 'choice', 'text']), label: z.string(), is_required: z.boolean() }),
  can_undo: z.boolean(),
})
export type Action = z.infer<typeof Action>
/** Filtered by the caller's permissions. */
export const Actions = z.object({ actions: z.array(Action) })

const ActionChoice = z.object({ value: z.string(), label: z.string(), description: z.string() })
export type ActionChoice = z.infer<typeof ActionChoice>
export const ActionWithChoices = z.extend(Action, { choices: z.array(ActionChoice), is_cut: z.boolean() })
export type ActionWithChoices = z.infer<typeof ActionWithChoices>

const RESOURCE_TYPES = ['schema', 'table', 'view'] as const
const ResourceType = z.enum(RESOURCE_TYPES)
/** Comma-separated; all types when omitted. */
export const ResourcesQuery = z.object({
  include_resource_types: z.optional(
    z.string().check(
      z.maxLength(100),
      z.refine((text) => text.split(',').every((item) => (RESOURCE_TYPES as readonly string[]).includes(item.trim())), {
        error: 'Use schema, table or view, separated by commas',
      }),
    ),
  ),
})
const Resource = z.object({
  resource_type: ResourceType,
  integration_trellis_code: z.string(),
  schema_name: z.string(),
  /** Null for a schema. */
  table_name: z.nullable(z.string()),
  label: z.string(),
  path: z.string(),
})
export type Resource = z.infer<typeof Resource>
export const Resources = z.object({ resources: z.array(Resource), is_cut: z.boolean() })

/** What the browser does once an item is accepted. Paths are relative to the workspace. */
export const ActionEffect = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('navigate'), path: z.string() }),
  /** Null toggles the current mode. */
  z.object({ kind: z.literal('theme'), theme_mode: z.nullable(z.enum(['light', 'dark'])) }),
  z.object({ kind: z.literal('game'), game: z.literal('snake') }),
  z.object({ kind: z.literal('help'), actions: z.array(Action) }),
])
export type ActionEffect = z.infer<typeof ActionEffect>

const ActionStatus = z.enum(['proposed', 'accepted', 'declined', 'failed', 'undone'])
export type ActionStatus = z.infer<typeof ActionStatus>
export const ActionItem = z.object({
  action_id: z.string(),
  action_type: ActionType,
  title: z.string(),
  summary: z.string(),
  preview: z.array(z.object({ label: z.string(), value: z.string() })),
  status: ActionStatus,
  can_undo: z.boolean(),
  /** Set once the item is accepted. */
  effect: z.nullable(ActionEffect),
  problem: z.nullable(z.string()),
  /** The answer that proposed it; null when a person asked for it. */
  message_trellis_code: z.nullable(z.string()),
  log: z.array(z.object({ status: ActionStatus, at: Instant })),
  created_at: Instant,
})
export type ActionItem = z.infer<typeof ActionItem>
export const ActionItems = z.object({
  items: z.array(ActionItem),
  page: z.int(),
  pages: z.int(),
  total: z.int(),
})
export const ActionItemsQuery = z.object({
  page: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100_000))),
})
export const CreateActionItemRequest = z.object({
  action_type: ActionType,
  /** A choice's value, its label, or a suffix of its label: `orders` for `data.orders`. */
  argument: z._default(z.string().check(z.maxLength(500)), ''),
  sql: z.optional(z.string().check(z.maxLength(50_000))),
  ai_project_id: z.optional(Code),
})
export type CreateActionItemRequest = z.infer<typeof CreateActionItemRequest>
/** Decided once. An accepted item can be undone while `can_undo` is true. */
export const DecideActionItemRequest = z.object({ decision: z.enum(['accept', 'decline', 'undo']) })
