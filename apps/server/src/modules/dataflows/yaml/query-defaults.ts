import type { Connector } from '@trellis/connector-kit/connector'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { listShownSections } from '@trellis/contract/formas/forma-rules'
import { CONNECTORS } from '@trellis/connectors/registry'
import { type FileBlock, type FlowFile, OWN_DATABASE } from '@trellis/dataflow-engine/flow-file/flow-file'
import { addDefaultSettings } from '@trellis/dataflow-engine/flow-file/full-settings'

export function withQueryDefaults(file: FlowFile): FlowFile {
  if (!file.blocks) return file
  const blocks = Object.entries(file.blocks).map(([key, block]) => [key, { ...block, settings: fillSettings(block) }])
  return { ...file, blocks: Object.fromEntries(blocks) as FlowFile['blocks'] }
}

function fillSettings(block: FileBlock): Record<string, unknown> {
  const settings = addDefaultSettings(block)
  const { kind } = block
  const connector = findConnector(block)
  if (kind === 'Source') {
    const formas = connector?.source?.queryFormas ?? []
    const subtasks = settings['subtasks'] as readonly { query: FormaValues }[]
    return {
      ...settings,
      subtasks: subtasks.map((subtask) => ({ ...subtask, query: fillQuery(subtask.query, formas) })),
    }
  }
  if (kind !== 'Destination') return settings
  return { ...settings, query: fillQuery(settings['query'] as FormaValues, connector?.destination?.queryFormas ?? []) }
}

function findConnector({ integration }: FileBlock): Connector | undefined {
  if (integration === OWN_DATABASE) return CONNECTORS.find(({ usesOwnDatabase }) => usesOwnDatabase)
  return CONNECTORS.find(({ code }) => code === integration?.platform)
}

/** With several formas, the one whose sections are present. */
function fillQuery(query: FormaValues, formas: readonly Forma[]): FormaValues {
  const filledFormas = formas.filter(({ sections }) => sections.some(({ reference }) => query[reference] !== undefined))
  return (filledFormas.length > 0 ? filledFormas : formas.slice(0, 1)).reduce(fillForma, query)
}

function fillForma(query: FormaValues, forma: Forma): FormaValues {
  const missing = listShownSections(forma, query).flatMap(({ reference: section, elements }) =>
    elements.flatMap(({ reference, default: defaultValue }) =>
      defaultValue !== undefined && query[section]?.[reference] === undefined
        ? [{ section, reference, start: defaultValue }]
        : [],
    ),
  )
  if (missing.length === 0) return query
  const filledQuery = { ...query }
  for (const { section, reference, start: defaultValue } of missing)
    filledQuery[section] = { ...filledQuery[section], [reference]: defaultValue }
  // A default may reveal further elements.
  return fillForma(filledQuery, forma)
}
