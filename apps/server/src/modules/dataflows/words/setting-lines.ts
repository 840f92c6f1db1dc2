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
  const newLines = new Map(buildSettingLines(after, facts).map((line) => [line.path, line]))
  const paths = [...newLines.keys(), ...[...oldLines.keys()].filter((path) => !newLines.has(path))]
  return paths.flatMap((path) => {
    const oldLine = oldLines.get(path)
    const newLine = newLines.get(path)
    if (oldLine?.text === newLine?.text) return []
    return [
      {
        path,
        label: newLine?.label ?? oldLine?.label ?? path,
        before: oldLine?.text ?? null,
        after: newLine?.text ?? null,
      },
    ]
  })
}

function buildSettingLines(settings: Settings, facts: WordFacts): Line[] {
  const connection = facts.connections.get(settings.integration_trellis_code ?? '')
  const kindLines =
    'subtasks' in settings
      ? listSourceLines(settings, connection?.connector)
      : listOtherLines(settings, connection?.connector)
  return [
    createLine('integration_trellis_code', 'Connection', connection?.name ?? settings.integration_trellis_code ?? ''),
    ...kindLines,
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
function listSourceLines({ subtasks }: SourceSettings, connector: Connector | undefined): Line[] {
  return subtasks.flatMap(({ name, query, is_incremental, write }) => {
    const path = `subtasks.${name}`
    return [
      ...listQueryLines(query, {
        path: `${path}.query`,
        labelPrefix: `${name}: `,
        formas: connector?.source?.queryFormas ?? [],
      }),
      createLine(
        `${path}.is_incremental`,
        `${name}: reads`,
        is_incremental ? 'Only what is new or changed' : 'Everything',
      ),
      ...(write ? listWriteLines(write, `${path}.write`, `${name}: `) : []),
    ]
  })
}

function listOtherLines(
  settings: TransformationSettings | DestinationSettings,
  connector: Connector | undefined,
): Line[] {
  const { input } = settings
  const readsText = !input ? '' : 'sql' in input ? input.sql : `${input.schema_name}.${input.table_name}`
  if ('language' in settings) {
    return [
      createLine('language', 'Language', settings.language === 'sql' ? 'SQL' : 'JavaScript'),
      createLine('code', 'Code', settings.code),
      createLine('worksheet', 'Worksheet', formatWorksheet(settings.worksheet)),
      createLine('input', 'Reads', readsText),
      createLine('packages', 'Packages', settings.packages.join(', ')),
      ...(settings.write ? listWriteLines(settings.write, 'write', '') : []),
    ]
  }
  const formas = connector?.destination?.queryFormas ?? []
  return [
    createLine('input', 'Reads', readsText),
    ...listQueryLines(settings.query, { path: 'query', labelPrefix: '', formas }),
    createLine('strategy', 'Strategy', settings.strategy),
    ...listModelLines(settings.dataModel, 'dataModel', ''),
  ]
}

const formatWorksheet = (worksheet: TransformationSettings['worksheet']): string =>
  worksheet ? `${worksheet.path}, version ${worksheet.commit_id.slice(0, 7)}` : ''

function listQueryLines(
  query: FormaValues,
  { path, labelPrefix, formas }: { path: string; labelPrefix: string; formas: readonly Forma[] },
): Line[] {
  return Object.entries(query).flatMap(([section, elements]) =>
    Object.entries(elements).map(([element, value]) => {
      const label = getElementLabel(formas, section, element)
      return createLine(`${path}.${section}.${element}`, `${labelPrefix}${label}`, formatValue(value))
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

function listWriteLines(write: WriteStep, path: string, labelPrefix: string): Line[] {
  const { choice, most } = write.bad_rows
  return [
    createLine(`${path}.table_name`, `${labelPrefix}table`, `${write.schema_name}.${write.table_name}`),
    createLine(`${path}.strategy`, `${labelPrefix}strategy`, write.strategy),
    createLine(`${path}.schema_policy`, `${labelPrefix}when columns change`, POLICIES[write.schema_policy]),
    createLine(`${path}.bad_rows`, `${labelPrefix}rows that do not fit`, `${BAD_ROWS[choice]}, at most ${most}`),
    ...listModelLines(write.dataModel, `${path}.dataModel`, labelPrefix),
  ]
}

function listModelLines(model: SourceDataModel | null, path: string, labelPrefix: string): Line[] {
  if (!model) return []
  const columns = Object.entries(model.fields).map(([field, type]) => {
    const name = model.column_mapping[field]
    const renamedText = name !== undefined && name !== field ? `, as "${name}"` : ''
    const indexText = model.indexes[field] ? `, index ${model.indexes[field]}` : ''
    return createLine(`${path}.fields.${field}`, `${labelPrefix}column ${field}`, `${type}${renamedText}${indexText}`)
  })
  return [...columns, createLine(`${path}.primary_keys`, `${labelPrefix}primary key`, model.primary_keys.join(', '))]
}
