import { ACTIVITY_KINDS, type ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { Forma, FormaElement } from '@trellis/contract/formas/forma'
import { startSettings, writeInto } from '@trellis/contract/dataflows/start-settings'
import * as z from 'zod/mini'
import { FlowFile } from './flow-file.ts'
import { SETTINGS } from './read-flow-file.ts'

type JsonSchema = Record<string, unknown>

export interface PlatformShapes {
  readonly code: string
  readonly title: string
  readonly source: readonly Forma[]
  readonly destination: readonly Forma[]
}

const FIELDS: Readonly<Record<string, string>> = {
  trellis: 'What kind of file this is.',
  name: 'The name of the dataflow.',
  misfire: 'Due times that were missed: run the latest, all or none of them. Default: latest.',
  overlap: 'A run that comes due while the one before is under way: queue, skip or parallel. Default: queue.',
  paused: 'No schedule starts anything. Default: false.',
  alerts: 'Who is mailed when a run fails, recovers or is later than usual.',
  groups: 'Frames on the canvas, by key.',
  blocks: 'Blocks, by key. The key decides which block is meant: it stays when the block is renamed.',
  moved: 'Keys that changed, old to new. May stay in the file for good.',
}
const BLOCK_FIELDS: Readonly<Record<string, string>> = {
  integration: 'The connection it reads or writes, by platform and name.',
  trigger:
    'When the block runs: on any, or on all, of the listed schedules and events. Without a trigger it runs only when started by hand.',
  group: 'Key of the group it is in.',
  at: 'Its place on the canvas: x, y. Without one it stays where it is; a new block stands behind those it waits for.',
}

/** JSON Schema for editors. What it cannot express is reported by `validate`. */
export function buildFlowSchema(platforms: readonly PlatformShapes[]): JsonSchema {
  const schema = z.toJSONSchema(FlowFile, { io: 'input' }) as JsonSchema
  const properties = schema['properties'] as Record<string, JsonSchema>
  describeFields(properties, FIELDS)
  const block = properties['blocks']?.['additionalProperties'] as JsonSchema
  describeFields(block['properties'] as Record<string, JsonSchema>, BLOCK_FIELDS)
  block['allOf'] = [
    ...ACTIVITY_KINDS.map((kind) =>
      toRule({ properties: { kind: { const: kind } }, required: ['kind'] }, buildSettings(kind)),
    ),
    ...platforms.flatMap((platform) => buildPlatform(platform)),
  ]
  return { ...schema, title: 'Trellis dataflow' }
}

function describeFields(properties: Record<string, JsonSchema>, texts: Readonly<Record<string, string>>): void {
  for (const [name, description] of Object.entries(texts))
    if (properties[name]) properties[name]['description'] = description
}

/** No field is required; defaults are those of a new block. */
function buildSettings(kind: ActivityKind): JsonSchema {
  const { trigger: _, integration_trellis_code: __, ...settingsShape } = SETTINGS[kind].shape
  const {
    $schema: ___,
    required: ____,
    ...schema
  } = z.toJSONSchema(z.strictObject(settingsShape), { io: 'input' }) as JsonSchema
  const defaults = startSettings(kind, '') as unknown as Record<string, unknown>
  const properties = schema['properties'] as Record<string, JsonSchema>
  for (const [name, property] of Object.entries(properties)) property['default'] = defaults[name]
  relaxWriteSettings(properties['write'], ['table_name'])
  const subtask = properties['subtasks']?.['items'] as JsonSchema | undefined
  if (subtask) relaxSubtask(subtask)
  return schema
}

function relaxSubtask(subtask: JsonSchema): void {
  subtask['required'] = ['name']
  const { query: buildQueryProperty, is_incremental, write } = subtask['properties'] as Record<string, JsonSchema>
  if (buildQueryProperty) buildQueryProperty['default'] = {}
  if (is_incremental) is_incremental['default'] = false
  relaxWriteSettings(write, [])
}

/** A subtask without a table name writes into a table of its own name. */
function relaxWriteSettings(write: JsonSchema | undefined, required: readonly string[]): void {
  const { table_name: _, ...defaults } = writeInto('')
  for (const shape of (write?.['anyOf'] ?? []) as JsonSchema[]) {
    const properties = shape['properties'] as Record<string, JsonSchema> | undefined
    if (!properties) continue
    shape['required'] = required
    for (const [name, value] of Object.entries(defaults)) if (properties[name]) properties[name]['default'] = value
    const { bad_rows } = properties
    if (bad_rows) delete bad_rows['required']
  }
}

function buildPlatform({ code, title, source, destination }: PlatformShapes): JsonSchema[] {
  const buildCondition = (kind: ActivityKind) => ({
    properties: {
      kind: { const: kind },
      integration: { type: 'object', properties: { platform: { const: code } }, required: ['platform'] },
    },
    required: ['kind', 'integration'],
  })
  const buildQueryProperty = (formas: readonly Forma[]) => ({ query: buildQuery(formas, title) })
  const subtasks = { items: { properties: buildQueryProperty(source) } }
  return [
    ...(source.length > 0 ? [toRule(buildCondition('Source'), { properties: { subtasks } })] : []),
    ...(destination.length > 0
      ? [toRule(buildCondition('Destination'), { properties: buildQueryProperty(destination) })]
      : []),
  ]
}

const toRule = (condition: JsonSchema, settings: JsonSchema): JsonSchema => ({
  if: condition,
  // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema; nobody awaits it
  then: { properties: { settings } },
})

/** With several formas, all their sections: only the platform knows which one applies. */
function buildQuery(formas: readonly Forma[], title: string): JsonSchema {
  const sections: Record<string, JsonSchema> = {}
  for (const section of formas.flatMap((forma) => forma.sections)) {
    const knownProperties = (sections[section.reference]?.['properties'] ?? {}) as JsonSchema
    // Secrets are never part of a file.
    const elements = section.elements.filter(({ type }) => type !== 'secret' && type !== 'oauth_link')
    sections[section.reference] = {
      type: 'object',
      title: section.title,
      ...(section.description !== undefined && { description: section.description }),
      properties: {
        ...knownProperties,
        ...Object.fromEntries(elements.map((other) => [other.reference, buildElement(other)])),
      },
      additionalProperties: false,
    }
  }
  return { type: 'object', title: `${title} query`, properties: sections, additionalProperties: false }
}

function buildElement(element: FormaElement): JsonSchema {
  const { label, help } = element
  return {
    title: label,
    description: help === undefined ? label : `${label}. ${help}`,
    ...(element.default !== undefined && { default: element.default }),
    ...buildValue(element),
  }
}

const toNullableType = (type: string) => ({ type: [type, 'null'] })

function buildValue(element: FormaElement): JsonSchema {
  switch (element.type) {
    case 'number':
      return toNullableType(element.properties.is_integer ? 'integer' : 'number')
    case 'boolean':
      return toNullableType('boolean')
    case 'select': {
      const { options, options_from } = element.properties
      if (options_from !== undefined || options.length === 0) return toNullableType('string')
      return { enum: [...options.map(({ value }) => value), '', null] }
    }
    case 'multi_select':
    case 'goals':
      return { type: ['array', 'null'], items: { type: 'string' } }
    case 'text':
    case 'query_editor':
    case 'macro':
      return toNullableType('string')
    default:
      return {}
  }
}
