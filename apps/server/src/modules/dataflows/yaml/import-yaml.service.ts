import { isDeepStrictEqual } from 'node:util'
import type { ImportOutcome } from '@trellis/contract/dataflows/dataflows.schemas'
import { transaction } from '@trellis/control-db/database'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type BlockConnection, listBlockConnections } from '../../integrations/connection/block-connections.service.ts'
import { applyFile } from './apply-file.ts'
import { readAsFile } from './export-yaml.ts'
import { type FlowFile, OWN_DATABASE } from '@trellis/dataflow-engine/flow-file/flow-file'
import { moveKeys } from './move-keys.ts'
import { findClashes, splitKept } from './kept-parts.ts'
import { positionBlocks } from '@trellis/dataflow-engine/flow-file/place-blocks'
import { withQueryDefaults } from './query-defaults.ts'
import type { FindConnection } from './write-blocks.ts'
import {
  type FileProblem,
  type FindLine,
  normalizeFlowFile,
  readFlowFile,
} from '@trellis/dataflow-engine/flow-file/read-flow-file'

type Outcome = z.infer<typeof ImportOutcome>
export type Change = Outcome['changes'][number]

export interface ImportBody {
  readonly yaml: string
  readonly folder_trellis_code?: string | null | undefined
  readonly trellis_code?: string | undefined
  readonly is_trial?: boolean | undefined
  readonly can_prune?: boolean | undefined
}

/**
 * Creates or updates drafts only. A missing connection leaves its block without one; any other error changes nothing.
 */
export async function importDataflow(ctx: WorkspaceCtx, body: ImportBody): Promise<Outcome> {
  const { file: flowFile, problems, findLine } = readFlowFile(body.yaml)
  const buildRefusal = (fileProblems: readonly FileProblem[]): Outcome => ({
    trellis_code: null,
    changes: [],
    kept: [],
    problems: [...fileProblems],
  })
  if (!flowFile) return buildRefusal(problems)
  const canPrune = body.can_prune ?? false
  return await transaction(ctx, async (ctx) => {
    const stored = body.trellis_code === undefined ? undefined : await readAsFile(ctx, body.trellis_code)
    const { before: previousFlow, moves } = stored ? moveKeys(stored, flowFile) : { before: undefined, moves: [] }
    const file = positionBlocks(withQueryDefaults(flowFile), previousFlow?.file)
    const clashes = previousFlow && !canPrune ? findClashes(previousFlow, file, findLine) : []
    if (clashes.length > 0) return buildRefusal(clashes)
    const connections = [...(await listBlockConnections(ctx)).values()]
    const find: FindConnection = ({ platform, name }) =>
      connections.find(
        (blockConnection) =>
          !blockConnection.isManaged && blockConnection.platformCode === platform && blockConnection.name === name,
      )
    const connectionProblems = findConnectionProblems(file, { find, all: connections, findLine })
    const previousFile = previousFlow && withQueryDefaults(previousFlow.file)
    const { present: mentionedParts, kept } = splitKept(previousFile, file)
    const changes = [
      ...moves.map(({ name, from, to }): Change => ({ kind: 'moved', what: `Block "${name}": ${from} → ${to}` })),
      ...listFlowChanges(canPrune ? previousFile : mentionedParts, file),
    ]
    const outcome = { changes, kept: canPrune ? [] : kept, problems: connectionProblems }
    const changesNothing = body.is_trial === true || (previousFlow !== undefined && changes.length === 0)
    if (changesNothing) return { trellis_code: previousFlow?.dataflow.trellis_code ?? null, ...outcome }
    const code = await applyFile(ctx, { file, previousFlow, find, canPrune, folder: body.folder_trellis_code })
    return { trellis_code: code, ...outcome }
  })
}

function findConnectionProblems(
  { blocks = {} }: FlowFile,
  { find, all: connections, findLine }: { find: FindConnection; all: readonly BlockConnection[]; findLine: FindLine },
): FileProblem[] {
  return Object.entries(blocks).flatMap(([key, { integration, name }]) => {
    if (integration === undefined || integration === OWN_DATABASE || find(integration)) return []
    const otherNames = connections
      .filter((blockConnection) => !blockConnection.isManaged && blockConnection.platformCode === integration.platform)
      .map((blockConnection) => `"${blockConnection.name}"`)
    const advice =
      otherNames.length > 0
        ? `There is ${otherNames.join(', ')}; change the name in the file, or rename it.`
        : 'Add it, then import again.'
    const message = `"${name}" needs the connection "${integration.name}" (${integration.platform}), which is not in this workspace. ${advice}`
    return [{ line: findLine(['blocks', key, 'integration']), message }]
  })
}

const FLOW_WORDS = {
  name: 'name',
  description: 'description',
  misfire: 'missed times',
  overlap: 'overlap',
  paused: 'pause',
  alerts: 'alerts',
} as const

export function listFlowChanges(before: FlowFile | undefined, after: FlowFile): Change[] {
  const [previousFile, is] = [before && normalizeFlowFile(before), normalizeFlowFile(after)]
  const flow = Object.keys(FLOW_WORDS) as (keyof typeof FLOW_WORDS)[]
  const changed = previousFile ? flow.filter((name) => !isDeepStrictEqual(previousFile[name], is[name])) : []
  const flowChanges: Change[] = previousFile
    ? changed.map((name) => ({ kind: 'changed', what: `Dataflow: ${FLOW_WORDS[name]}` }))
    : [{ kind: 'added', what: `Dataflow "${is.name}"` }]
  return [
    ...flowChanges,
    ...listPartChanges('Group', previousFile?.groups ?? {}, is.groups ?? {}),
    ...listPartChanges('Block', previousFile?.blocks ?? {}, is.blocks ?? {}),
  ]
}

type Part = { readonly name: string }

function listPartChanges(
  word: string,
  previousFile: Readonly<Record<string, Part>>,
  is: Readonly<Record<string, Part>>,
): Change[] {
  const keys = [...new Set([...Object.keys(previousFile), ...Object.keys(is)])].toSorted()
  return keys.flatMap((key): Change[] => {
    const [part, other] = [previousFile[key], is[key]]
    if (!part && other) return [{ kind: 'added', what: `${word} "${other.name}"` }]
    if (part && !other) return [{ kind: 'removed', what: `${word} "${part.name}"` }]
    const parts = part && other ? listDifferentParts(part, other) : []
    return parts.length > 0 ? [{ kind: 'changed', what: `${word} "${part?.name ?? ''}": ${parts.join(', ')}` }] : []
  })
}

function listDifferentParts(previousFile: object, is: object): string[] {
  const [previousPart, newPart] = [previousFile as Record<string, unknown>, is as Record<string, unknown>]
  const names = [...new Set([...Object.keys(previousPart), ...Object.keys(newPart)])].toSorted()
  return names.flatMap((name) => {
    if (isDeepStrictEqual(previousPart[name], newPart[name])) return []
    const isSettings = name === 'settings' && previousPart[name] !== undefined && newPart[name] !== undefined
    if (isSettings) return listDifferentParts(previousPart[name] as object, newPart[name] as object)
    return [name === 'at' ? 'place' : name]
  })
}
