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
  const { file: written, problems, findLine } = readFlowFile(body.yaml)
  const refuse = (fileProblems: readonly FileProblem[]): Outcome => ({
    trellis_code: null,
    changes: [],
    kept: [],
    problems: [...fileProblems],
  })
  if (!written) return refuse(problems)
  const canPrune = body.can_prune ?? false
  return await transaction(ctx, async (ctx) => {
    const storedFlowAsFile = body.trellis_code === undefined ? undefined : await readAsFile(ctx, body.trellis_code)
    const { before, moves } = storedFlowAsFile ? moveKeys(storedFlowAsFile, written) : { before: undefined, moves: [] }
    const file = positionBlocks(withQueryDefaults(written), before?.file)
    const clashes = before && !canPrune ? findClashes(before, file, findLine) : []
    if (clashes.length > 0) return refuse(clashes)
    const all = [...(await listBlockConnections(ctx)).values()]
    const find: FindConnection = ({ platform, name }) =>
      all.find(
        (blockConnection) =>
          !blockConnection.isManaged && blockConnection.platformCode === platform && blockConnection.name === name,
      )
    const missingFileProblems = findConnectionProblems(file, { find, all, findLine })
    const was = before && withQueryDefaults(before.file)
    const { present, kept } = splitKept(was, file)
    const changes = [
      ...moves.map(({ name, from, to }): Change => ({ kind: 'moved', what: `Block "${name}": ${from} → ${to}` })),
      ...listFlowChanges(canPrune ? was : present, file),
    ]
    const outcome = { changes, kept: canPrune ? [] : kept, problems: missingFileProblems }
    const isNothing = body.is_trial === true || (before !== undefined && changes.length === 0)
    if (isNothing) return { trellis_code: before?.dataflow.trellis_code ?? null, ...outcome }
    const code = await applyFile(ctx, { file, before, find, canPrune, folder: body.folder_trellis_code })
    return { trellis_code: code, ...outcome }
  })
}

function findConnectionProblems(
  { blocks = {} }: FlowFile,
  { find, all, findLine }: { find: FindConnection; all: readonly BlockConnection[]; findLine: FindLine },
): FileProblem[] {
  return Object.entries(blocks).flatMap(([key, { integration, name }]) => {
    if (integration === undefined || integration === OWN_DATABASE || find(integration)) return []
    const others = all
      .filter((blockConnection) => !blockConnection.isManaged && blockConnection.platformCode === integration.platform)
      .map((blockConnection) => `"${blockConnection.name}"`)
    const advice =
      others.length > 0
        ? `There is ${others.join(', ')}; change the name in the file, or rename it.`
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
  const [was, is] = [before && normalizeFlowFile(before), normalizeFlowFile(after)]
  const flow = Object.keys(FLOW_WORDS) as (keyof typeof FLOW_WORDS)[]
  const changed = was ? flow.filter((name) => !isDeepStrictEqual(was[name], is[name])) : []
  const ofFlow: Change[] = was
    ? changed.map((name) => ({ kind: 'changed', what: `Dataflow: ${FLOW_WORDS[name]}` }))
    : [{ kind: 'added', what: `Dataflow "${is.name}"` }]
  return [
    ...ofFlow,
    ...partChanges('Group', was?.groups ?? {}, is.groups ?? {}),
    ...partChanges('Block', was?.blocks ?? {}, is.blocks ?? {}),
  ]
}

type Part = { readonly name: string }

function partChanges(word: string, was: Readonly<Record<string, Part>>, is: Readonly<Record<string, Part>>): Change[] {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].toSorted()
  return keys.flatMap((key): Change[] => {
    const [part, other] = [was[key], is[key]]
    if (!part && other) return [{ kind: 'added', what: `${word} "${other.name}"` }]
    if (part && !other) return [{ kind: 'removed', what: `${word} "${part.name}"` }]
    const parts = part && other ? partsThatDiffer(part, other) : []
    return parts.length > 0 ? [{ kind: 'changed', what: `${word} "${part?.name ?? ''}": ${parts.join(', ')}` }] : []
  })
}

function partsThatDiffer(was: object, is: object): string[] {
  const [one, other] = [was as Record<string, unknown>, is as Record<string, unknown>]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted()
  return names.flatMap((name) => {
    if (isDeepStrictEqual(one[name], other[name])) return []
    const isSettings = name === 'settings' && one[name] !== undefined && other[name] !== undefined
    if (isSettings) return partsThatDiffer(one[name] as object, other[name] as object)
    return [name === 'at' ? 'place' : name]
  })
}
