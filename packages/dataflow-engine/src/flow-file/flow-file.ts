import { ACTIVITY_KINDS, MISFIRE_POLICIES, OVERLAP_POLICIES } from '@trellis/contract/dataflows/dataflow-words'
import { GROUP_COLORS } from '@trellis/contract/dataflows/task-blocks.schemas'
import { WEEKDAYS } from '@trellis/contract/dataflows/schedules'
import * as z from 'zod/mini'

/** The workspace's own database, whose code differs in every workspace. */
export const OWN_DATABASE = 'workspace database'

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(100))
const Key = z
  .string()
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'Keys are lower case letters, digits and hyphens.' }))
const Coordinate = z.number().check(z.minimum(-1_000_000), z.maximum(1_000_000))

const Schedule = z.union([
  z.strictObject({ cron: z.string(), zone: z.string() }),
  z.strictObject({ hours: z.nullable(z.int()), minutes: z.nullable(z.int()) }),
  z.strictObject({ times: z.string(), zone: z.string(), weekdays: z.array(z.enum(WEEKDAYS)) }),
  z.record(z.string(), z.never()),
])
export const FileAction = z.union([z.strictObject({ schedule: Schedule }), z.strictObject({ after: z.string() })])
export type FileAction = z.infer<typeof FileAction>
export const FileTrigger = z.union([
  z.strictObject({ any: z.array(FileAction) }),
  z.strictObject({ all: z.array(FileAction) }),
])
export type FileTrigger = z.infer<typeof FileTrigger>

export const FileBlock = z.strictObject({
  kind: z.enum(ACTIVITY_KINDS),
  name: Name,
  integration: z.optional(
    z.union([z.literal(OWN_DATABASE), z.strictObject({ platform: z.string(), name: z.string() })]),
  ),
  trigger: z.optional(FileTrigger),
  /** As in the API, but without trigger and connection, which the block has itself. */
  settings: z.optional(z.record(z.string(), z.unknown())),
  group: z.optional(Key),
  note: z.optional(z.string().check(z.maxLength(20_000))),
  at: z.optional(z.tuple([Coordinate, Coordinate])),
})
export type FileBlock = z.infer<typeof FileBlock>

const FileGroup = z.strictObject({
  name: z.string().check(z.trim(), z.maxLength(100)),
  color: z.enum(GROUP_COLORS),
  note: z.optional(z.string().check(z.maxLength(20_000))),
  folded: z.optional(z.boolean()),
})
type FileGroup = z.infer<typeof FileGroup>

export const FlowFile = z.strictObject({
  trellis: z.literal('dataflow'),
  version: z.literal(1),
  name: Name,
  description: z.optional(z.string().check(z.maxLength(50_000))),
  misfire: z.optional(z.enum(MISFIRE_POLICIES)),
  overlap: z.optional(z.enum(OVERLAP_POLICIES)),
  paused: z.optional(z.boolean()),
  alerts: z.optional(
    z.strictObject({
      emails: z.optional(z.array(z.email()).check(z.maxLength(20))),
      on_failure: z.boolean(),
      on_recovery: z.boolean(),
      on_later_than_usual: z.boolean(),
    }),
  ),
  groups: z.optional(z.record(Key, FileGroup)),
  blocks: z.optional(z.record(Key, FileBlock)),
  /** Renamed keys, old to new. May stay in the file. */
  moved: z.optional(z.record(Key, Key)),
})
export type FlowFile = z.infer<typeof FlowFile>

export type PlacedFlow = FlowFile & { blocks?: Record<string, FileBlock & { at: [number, number] }> | undefined }
