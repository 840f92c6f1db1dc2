import type { Connector } from '@trellis/connector-kit/connector'
import type {
  DestinationSettings,
  SourceSettings,
  TransformationSettings,
  WriteStep,
} from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import type { SettingChange } from '@trellis/contract/runs/versions.schemas'
import type * as z from 'zod/mini'
import type { Settings } from '@trellis/contract/dataflows/start-settings'
import type { CanvasFacts } from '../canvas-facts.ts'
import { describeTriggerForm } from './trigger-words.ts'

type Change = z.infer<typeof SettingChange>
interface Line {
  readonly path: string
  readonly label: string
  readonly text: string
}
export type WordFacts = Pick<CanvasFacts, 'connections' | 'byCode'>

export function listSettingChanges(before: Settings | null, after: Settings, facts: WordFacts): Change[] {
  const oldLines = new Map((before ? buildSettingLines(before, facts) : []).map((line) => [line.path, line]))
  const now = new Map(buildSettingLines(after, facts).map((line) => [line.path, line]))
  const paths = [...now.keys(), ...[...oldLines.keys()].filter((path) => !now.has(path))]
  return paths.flatMap((path) => {
    const was = oldLines.get(path)
    const is = now.get(path)
    if (was?.text === is?.text) return []
    return [{ path, label: is?.label ?? was?.label ?? path, before: was?.text ?? null, after: is?.text ?? null }]
  })
}

function buildSettingLines(settings: Settings, facts: WordFacts): Line[] {
  const connection = facts.connections.get(settings.integration_trellis_code ?? '')
  const ownLines =
    'subtasks' in settings
      ? sourceLines(settings, connection?.connector)
      : listOtherLines(settings, connection?.connector)
  return [
    createLine('integration_trellis_code', 'Connection', connection?.name ?? settings.integration_trellis_code ?? ''),
    ...ownLines,
    createLine(
      'trigger',
      'Trigger',
      describeTriggerForm(settings.trigger, (code) => facts.byCode.get(code)?.name),
    ),
    createLine('attempts', 'Attempts', String(settings.attempts)),
    createLine('most_minutes', 'Longest run in minutes', String(settings.most_minutes)),
  ].filter(({ text }) => text !== '')
}

const createLine = (path: string, label: string, text: string): Line => ({ path, label, text })

/** By name, so that reordering subtasks is no change. */
function sourceLines({ subtasks }: SourceSettings, connector: Connector | undefined): Line[] {
  return subtasks.flatMap(({ name, query, is_incremental, write }) => {
    const path = `subtasks.${name}`
    return [
      ...queryLines(query, { path: `${path}.query`, of: `${name}: `, formas: connector?.source?.queryFormas ?? [] }),
      createLine(
        `${path}.is_incremental`,
        `${name}: reads`,
        is_incremental ? 'Only what is new or changed' : 'Everything',
      ),
      ...(write ? writeLines(write, `${path}.write`, `${name}: `) : []),
    ]
  })
}

function listOtherLines(
  settings: TransformationSettings | DestinationSettings,
  connector: Connector | undefined,
): Line[] {
  const { input } = settings
  const reads = !input ? '' : 'sql' in input ? input.sql : `${input.schema_name}.${input.table_name}`
  if ('language' in settings) {
    return [
      createLine('language', 'Language', settings.language === 'sql' ? 'SQL' : 'JavaScript'),
      createLine('code', 'Code', settings.code),
      createLine('worksheet', 'Worksheet', formatWorksheet(settings.worksheet)),
      createLine('input', 'Reads', reads),
      createLine('packages', 'Packages', settings.packages.join(', ')),
      ...(settings.write ? writeLines(settings.write, 'write', '') : []),
    ]
  }
  const formas = connector?.destination?.queryFormas ?? []
  return [
    createLine('input', 'Reads', reads),
    ...queryLines(settings.query, { path: 'query', of: '', formas }),
    createLine('strategy', 'Strategy', settings.strategy),
    ...modelLines(settings.dataModel, 'dataModel', ''),
  ]
}

const formatWorksheet = (worksheet: TransformationSettings['worksheet']): string =>
  worksheet ? `${worksheet.path}, version ${worksheet.commit_id.slice(0, 7)}` : ''

function queryLines(
  query: FormaValues,
  { path, of, formas }: { path: string; of: string; formas: readonly Forma[] },
): Line[] {
  return Object.entries(query).flatMap(([section, elements]) =>
    Object.entries(elements).map(([element, value]) => {
      const label = getElementLabel(formas, section, element)
      return createLine(`${path}.${section}.${element}`, `${of}${label}`, formatValue(value))
    }),
  )
}

function getElementLabel(formas: readonly Forma[], section: string, element: string): string {
  const elements = formas.flatMap(({ sections }) =>
    sections.filter(({ reference }) => reference === section).flatMap((other) => other.elements),
  )
  return elements.find(({ reference }) => reference === element)?.label ?? element
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(formatValue).join(', ')
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

const BAD_ROWS = { stop: 'Stop the load', quarantine: 'Set them aside', set_null: 'Leave the value empty' }
const POLICIES = { evolve: 'Follow the source', ask: 'Ask first', freeze: 'Keep the table as it is, and fail' }

function writeLines(write: WriteStep, path: string, of: string): Line[] {
  const { choice, most } = write.bad_rows
  return [
    createLine(`${path}.table_name`, `${of}table`, `${write.schema_name}.${write.table_name}`),
    createLine(`${path}.strategy`, `${of}strategy`, write.strategy),
    createLine(`${path}.schema_policy`, `${of}when columns change`, POLICIES[write.schema_policy]),
    createLine(`${path}.bad_rows`, `${of}rows that do not fit`, `${BAD_ROWS[choice]}, at most ${most}`),
    ...modelLines(write.dataModel, `${path}.dataModel`, of),
  ]
}

function modelLines(model: SourceDataModel | null, path: string, of: string): Line[] {
  if (!model) return []
  const columns = Object.entries(model.fields).map(([field, type]) => {
    const name = model.column_mapping[field]
    const renamed = name !== undefined && name !== field ? `, as "${name}"` : ''
    const index = model.indexes[field] ? `, index ${model.indexes[field]}` : ''
    return createLine(`${path}.fields.${field}`, `${of}column ${field}`, `${type}${renamed}${index}`)
  })
  return [...columns, createLine(`${path}.primary_keys`, `${of}primary key`, model.primary_keys.join(', '))]
}
