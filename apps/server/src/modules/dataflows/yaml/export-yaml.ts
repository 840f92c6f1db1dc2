import type { Connector } from '@trellis/connector-kit/connector'
import type { Alerts } from '@trellis/contract/dataflows/dataflows.schemas'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { Document, Scalar, visit } from 'yaml'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type BlockConnection, listBlockConnections } from '../../integrations/connection/block-connections.service.ts'
import type { Settings } from '@trellis/contract/dataflows/start-settings'
import { type BlockRow, findBlocks, updateFileKeys } from '../blocks.repository.ts'
import type { DataflowRow } from '../dataflows.repository.ts'
import { getDataflowRow } from '../dataflows.service.ts'
import { type GroupRow, findGroups } from '../groups.repository.ts'
import { assignKeys } from './file-keys.ts'
import { FLOW_SCHEMA_PATH } from './flow-schema.service.ts'
import { sortKeys, toFileTrigger } from '@trellis/dataflow-engine/flow-file/file-trigger'
import { type FileBlock, type FlowFile, OWN_DATABASE } from '@trellis/dataflow-engine/flow-file/flow-file'

export interface FlowAsFile {
  readonly file: FlowFile
  readonly dataflow: DataflowRow
  readonly blocks: ReadonlyMap<string, BlockRow>
  readonly groups: ReadonlyMap<string, GroupRow>
}

/** Without secrets and codes, which are meaningless elsewhere. */
export async function exportDataflow(ctx: WorkspaceCtx, code: string): Promise<{ yaml: string }> {
  const { file, blocks } = await readAsFile(ctx, code)
  await storeKeys(ctx, blocks)
  const schema = new URL(FLOW_SCHEMA_PATH, ctx.ports.config.publicUrl)
  return { yaml: `# yaml-language-server: $schema=${schema.href}\n${toYaml(file)}` }
}

export async function storeKeys(ctx: WorkspaceCtx, blocks: ReadonlyMap<string, BlockRow>): Promise<void> {
  const changedBlocks = [...blocks].filter(([key, { file_key }]) => file_key !== key)
  await updateFileKeys(
    ctx,
    changedBlocks.map(([key, { id }]) => ({ id, key })),
  )
}

export function toYaml(file: FlowFile): string {
  const document = new Document(file, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && node.value.includes('\n')) {
        node.type = isPlainLines(node.value) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE
      }
    },
  })
  return document.toString({ lineWidth: 0, singleQuote: true })
}

/** YAML block scalars lose leading blanks and lines of only blanks. */
const isPlainLines = (text: string): boolean =>
  !/^\s|[^\S\n]\n\s*$|\n\n$/.test(text) && !/^[^\S\n]+$/m.test(text) && !/[^\P{C}\n\t]|[\u2028\u2029\ufeff]/u.test(text)

export async function readAsFile(ctx: WorkspaceCtx, code: string): Promise<FlowAsFile> {
  const dataflow = await getDataflowRow(ctx, code)
  const rows = await findBlocks(ctx, dataflow.id)
  const groupRows = await findGroups(ctx, dataflow.id)
  const connections = await listBlockConnections(ctx)
  const blocks = assignByKey(rows)
  const groups = assignByKey(groupRows)
  const blockKeys = new Map([...blocks].map(([key, row]) => [row.trellis_code, key]))
  const groupKeys = new Map([...groups].map(([key, row]) => [row.trellis_code, key]))
  const toFileBlock = (row: BlockRow): FileBlock => {
    const group = row.group_code === null ? undefined : groupKeys.get(row.group_code)
    const integration = toFileConnection(connections, row.settings.integration_trellis_code)
    const trigger = toFileTrigger(row.settings.trigger, (code) => blockKeys.get(code) ?? '')
    const { x, y, kind, name, note } = row
    return {
      kind,
      name,
      ...(integration && { integration }),
      ...(trigger && { trigger }),
      settings: toFileSettings(row.settings, connections.get(row.settings.integration_trellis_code ?? '')?.connector),
      ...(group !== undefined && { group }),
      ...(note !== '' && { note }),
      at: [x, y],
    }
  }
  const file = { ...toFileHeader(dataflow), ...toFileParts(groups, blocks, toFileBlock) }
  return { file, dataflow, blocks, groups }
}

function assignByKey<T extends { readonly name: string }>(rows: readonly T[]): Map<string, T> {
  const keys = assignKeys(rows)
  return new Map(rows.map((row, index) => [keys[index] ?? '', row] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function toFileHeader({ name, description, misfire, overlap, is_paused, alerts }: DataflowRow): FlowFile {
  const { emails, on_failure, on_recovery, on_later_than_usual } = alerts as Alerts
  return {
    trellis: 'dataflow',
    version: 1,
    name,
    ...(description !== '' && { description }),
    misfire: misfire as FlowFile['misfire'],
    overlap: overlap as FlowFile['overlap'],
    ...(is_paused && { paused: true }),
    // A webhook URL is a credential, so it is not exported.
    alerts: { ...(emails.length > 0 && { emails }), on_failure, on_recovery, on_later_than_usual },
  }
}

function toFileParts(
  groups: ReadonlyMap<string, GroupRow>,
  blocks: ReadonlyMap<string, BlockRow>,
  toFileBlock: (row: BlockRow) => FileBlock,
): Pick<FlowFile, 'groups' | 'blocks'> {
  const fileGroups = [...groups].map(([key, { name, color, note, is_folded }]) => [
    key,
    { name, color, ...(note !== '' && { note }), ...(is_folded && { folded: true }) },
  ])
  return {
    ...(groups.size > 0 && { groups: Object.fromEntries(fileGroups) as FlowFile['groups'] }),
    blocks: Object.fromEntries([...blocks].map(([key, row]) => [key, toFileBlock(row)])),
  }
}

function toFileConnection(
  connections: ReadonlyMap<string, BlockConnection>,
  code: string | null,
): FileBlock['integration'] {
  const connection = code === null ? undefined : connections.get(code)
  if (!connection) return undefined
  return connection.isManaged ? OWN_DATABASE : { platform: connection.platformCode, name: connection.name }
}

/** Fixed order, so that concurrent edits rarely conflict. */
const SETTINGS_ORDER = [
  'language',
  'input',
  'code',
  'packages',
  'subtasks',
  'query',
  'strategy',
  'dataModel',
  'write',
  'attempts',
  'most_minutes',
]

function toFileSettings(settings: Settings, connector: Connector | undefined): Record<string, unknown> {
  const { trigger: _, integration_trellis_code: __, ...ownSettings } = omitSecrets(settings, connector)
  // The worksheet link is meaningless elsewhere; importing the same SQL keeps it.
  const names = Object.keys(ownSettings)
    .filter((name) => name !== 'worksheet')
    .toSorted((a, b) => SETTINGS_ORDER.indexOf(a) - SETTINGS_ORDER.indexOf(b))
  return Object.fromEntries(names.map((name) => [name, sortKeys((ownSettings as Record<string, unknown>)[name])]))
}

function omitSecrets(settings: Settings, connector: Connector | undefined): Settings {
  if ('subtasks' in settings) {
    const formas = connector?.source?.queryFormas ?? []
    return {
      ...settings,
      subtasks: settings.subtasks.map((subtask) => ({ ...subtask, query: omitSecretValues(subtask.query, formas) })),
    }
  }
  if (!('query' in settings)) return settings
  return { ...settings, query: omitSecretValues(settings.query, connector?.destination?.queryFormas ?? []) }
}

function omitSecretValues(values: FormaValues, formas: readonly Forma[]): FormaValues {
  const secrets = new Set(
    formas.flatMap(({ sections }) =>
      sections.flatMap(({ reference, elements }) =>
        elements.filter(({ type }) => type === 'secret').map((element) => `${reference}.${element.reference}`),
      ),
    ),
  )
  if (secrets.size === 0) return values
  return Object.fromEntries(
    Object.entries(values).map(([section, elements]) => [
      section,
      Object.fromEntries(Object.entries(elements).filter(([name]) => !secrets.has(`${section}.${name}`))),
    ]),
  )
}
