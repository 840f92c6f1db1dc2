import {
  DestinationSettings,
  OwnTransformationSettings,
  SourceSettings,
} from '@trellis/contract/dataflows/task-blocks.schemas'
import { NO_TRIGGER, TriggerForm } from '@trellis/contract/dataflows/triggers'
import { LineCounter, type ParsedNode, isMap, isPair, isScalar, parseDocument } from 'yaml'
import * as z from 'zod/mini'
import { findCycle, formatCycle } from '../graph/graph.ts'
import { toTriggerForm, sortKeys } from './file-trigger.ts'
import { addDefaultSettings } from './full-settings.ts'
import { FileBlock, FlowFile } from './flow-file.ts'
import { TOO_DEEP, TOO_LARGE, findNodeProblem, hasTooManyTokens } from './node-problems.ts'
import { type Issue, toProblems } from './problem-texts.ts'

export interface FileProblem {
  readonly line: number | null
  readonly message: string
}
type Path = readonly (string | number)[]
export type FindLine = (path: Path) => number | null

export interface ReadFile {
  readonly file: FlowFile | undefined
  readonly problems: readonly FileProblem[]
  readonly findLine: FindLine
}

const MAX_PROBLEMS = 50
const MAX_BLOCKS = 1000

export function readFlowFile(text: string): ReadFile {
  const lineCounter = new LineCounter()
  const findNoLine: FindLine = () => null
  const buildFailure = (problems: readonly FileProblem[]) => ({ file: undefined, problems, findLine: findNoLine })
  if (hasTooManyTokens(text)) return buildFailure([{ line: null, message: TOO_LARGE }])
  // The library's duplicate check and pretty errors take minutes for a hostile file.
  const document = parseDocument(text, { lineCounter, uniqueKeys: false, strict: true, prettyErrors: false })
  if (document.errors.length > 0) {
    return buildFailure(
      document.errors.slice(0, MAX_PROBLEMS).map(({ message, pos }) => ({
        line: lineCounter.linePos(pos[0]).line,
        message: message.startsWith('Maximum call stack') ? TOO_DEEP : message,
      })),
    )
  }
  const nodeProblem = findNodeProblem(document.contents)
  if (nodeProblem)
    return buildFailure([
      {
        line: nodeProblem.offset === undefined ? null : lineCounter.linePos(nodeProblem.offset).line,
        message: nodeProblem.message,
      },
    ])
  const findLine = createLineFinder(document.contents, lineCounter)
  let content: unknown
  try {
    content = document.toJS({ maxAliasCount: 100 })
  } catch {
    return { file: undefined, problems: [{ line: null, message: 'The text refers to itself too often.' }], findLine }
  }
  if (content === null) return buildFailure([{ line: null, message: 'The file is empty.' }])
  const parsed = z.safeParse(FlowFile, content)
  if (!parsed.success)
    return {
      file: undefined,
      problems: listFileProblems(parsed.error.issues, content, {
        pathPrefix: [],
        findLine,
        getKnownFieldsAt: getKnownFields,
      }),
      findLine,
    }
  const count = Object.keys(parsed.data.blocks ?? {}).length
  if (count > MAX_BLOCKS)
    return buildFailure([
      { line: findLine(['blocks']), message: `A dataflow can have ${MAX_BLOCKS} blocks; these are ${count}.` },
    ])
  const problems = [
    ...findSettingProblems(parsed.data, findLine),
    ...findReferenceProblems(parsed.data, findLine),
    ...findCycleProblems(parsed.data, findLine),
    ...findMoveProblems(parsed.data, findLine),
  ]
  return { file: problems.length > 0 ? undefined : parsed.data, problems: problems.slice(0, MAX_PROBLEMS), findLine }
}

export const SETTINGS = {
  Source: SourceSettings,
  Transformation: OwnTransformationSettings,
  Destination: DestinationSettings,
} as const

interface IssueContext {
  readonly pathPrefix: Path
  readonly findLine: FindLine
  readonly getKnownFieldsAt: (path: Path) => readonly string[]
}

function listFileProblems(
  issues: readonly Issue[],
  content: unknown,
  { pathPrefix, findLine, getKnownFieldsAt }: IssueContext,
): FileProblem[] {
  return issues
    .flatMap((issue) => toProblems(issue, content, getKnownFieldsAt))
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => {
      const fullPath = [...pathPrefix, ...path]
      return { line: findLine(fullPath), message: fullPath.length > 0 ? `${fullPath.join('.')}: ${message}` : message }
    })
}

const BLOCK_DEPTH = 2

function getKnownFields(path: Path): string[] {
  if (path.length === 0) return Object.keys(FlowFile.shape)
  return path[0] === 'blocks' && path.length === BLOCK_DEPTH ? Object.keys(FileBlock.shape) : []
}

function getOwnShape(kind: FileBlock['kind']): object {
  const { trigger: _, integration_trellis_code: __, ...shape } = SETTINGS[kind].shape
  return shape
}

function findSettingProblems({ blocks = {} }: FlowFile, findLine: FindLine): FileProblem[] {
  return Object.entries(blocks).flatMap(([key, block]) => {
    const fullSettings = { ...addDefaultSettings(block), trigger: NO_TRIGGER, integration_trellis_code: null }
    const parsed = z.safeParse(z.strictObject(SETTINGS[block.kind].shape), fullSettings)
    const pathPrefix = ['blocks', key, 'settings']
    const getKnownFieldsAt = (path: Path) => (path.length === 0 ? Object.keys(getOwnShape(block.kind)) : [])
    const fileProblems = parsed.success
      ? []
      : listFileProblems(parsed.error.issues, fullSettings, { pathPrefix, findLine, getKnownFieldsAt })
    return [...fileProblems, ...findTriggerProblems(key, block, findLine)]
  })
}

/** A file can express triggers that no form can; a block with one could not be opened. */
function findTriggerProblems(key: string, { trigger }: FileBlock, findLine: FindLine): FileProblem[] {
  let number = 0
  const form = toTriggerForm(trigger, {
    toCode: (other) => other,
    previousForm: undefined,
    newId: () => String((number += 1)),
  })
  const parsed = z.safeParse(TriggerForm, form)
  const [issue] = parsed.success ? [] : parsed.error.issues
  return issue
    ? [{ line: findLine(['blocks', key, 'trigger']), message: `blocks.${key}.trigger: ${issue.message}` }]
    : []
}

function findReferenceProblems({ blocks = {}, groups = {} }: FlowFile, findLine: FindLine): FileProblem[] {
  const names = new Map<string, string>()
  return Object.entries(blocks).flatMap(([key, { group, trigger, name }]) => {
    const fileProblems: FileProblem[] = []
    const addProblem = (path: Path, message: string) =>
      fileProblems.push({ line: findLine(['blocks', key, ...path]), message })
    if (group !== undefined && !Object.hasOwn(groups, group))
      addProblem(['group'], `There is no group "${group}" in this file.`)
    const other = names.get(name.toLowerCase())
    if (other !== undefined) addProblem(['name'], `The blocks "${other}" and "${key}" have the same name.`)
    names.set(name.toLowerCase(), key)
    const [scope, actions] = Object.entries(trigger ?? {})[0] ?? ['any', []]
    for (const [index, action] of actions.entries()) {
      if ('after' in action && action.after !== '' && !Object.hasOwn(blocks, action.after)) {
        addProblem(['trigger', scope, index, 'after'], `There is no block "${action.after}" in this file.`)
      }
    }
    return fileProblems
  })
}

function findCycleProblems({ blocks = {} }: FlowFile, findLine: FindLine): FileProblem[] {
  const upstream = Object.entries(blocks).map(([key, { trigger }]) => {
    const actions = Object.values(trigger ?? {}).flat()
    return [key, actions.flatMap((action) => ('after' in action ? action.after : []))] as const
  })
  const cycle = findCycle(new Map(upstream))
  const [first = ''] = cycle ?? []
  return cycle
    ? [
        {
          line: findLine(['blocks', first, 'trigger']),
          message: formatCycle(cycle, (key) => `"${blocks[key]?.name ?? key}"`),
        },
      ]
    : []
}

function findMoveProblems({ blocks = {}, moved = {} }: FlowFile, findLine: FindLine): FileProblem[] {
  const targets = Object.values(moved)
  return Object.entries(moved).flatMap(([from, to]) => {
    const line = findLine(['moved', from])
    if (Object.hasOwn(blocks, from))
      return [{ line, message: `"${from}" is still a block of this file: it can not have moved to "${to}".` }]
    if (!Object.hasOwn(blocks, to)) return [{ line, message: `There is no block "${to}" in this file.` }]
    if (targets.filter((target) => target === to).length > 1)
      return [{ line, message: `Only one block can have moved to "${to}".` }]
    return []
  })
}

function createLineFinder(contents: ParsedNode | null, lineCounter: LineCounter): FindLine {
  return (path) => {
    let node: unknown = contents
    let offset = getOffset(contents)
    for (const part of path) {
      const child = findChild(node, part)
      if (!child) break
      node = child.value
      offset = child.offset ?? offset
    }
    return offset === undefined ? null : lineCounter.linePos(offset).line
  }
}

const getOffset = (node: unknown): number | undefined =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
    ? (node.range[0] as number)
    : undefined

function findChild(node: unknown, part: string | number): { value: unknown; offset: number | undefined } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(
      (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(part),
    )
    return pair && { value: pair.value, offset: getOffset(pair.key) }
  }
  if (typeof node !== 'object' || node === null || !('items' in node) || !Array.isArray(node.items)) return undefined
  const value: unknown = node.items[Number(part)]
  return value === undefined ? undefined : { value, offset: getOffset(value) }
}

/** With defaults and sorted keys, so that equivalent files are equal. */
export function normalizeFlowFile(file: FlowFile): FlowFile {
  const { emails = [], ...alerts } = file.alerts ?? { on_failure: true, on_recovery: true, on_later_than_usual: false }
  return {
    ...file,
    description: file.description ?? '',
    misfire: file.misfire ?? 'latest',
    overlap: file.overlap ?? 'queue',
    paused: file.paused ?? false,
    alerts: { emails, ...alerts },
    groups: Object.fromEntries(
      Object.entries(file.groups ?? {}).map(([key, group]) => [
        key,
        { ...group, note: group.note ?? '', folded: group.folded ?? false },
      ]),
    ),
    blocks: Object.fromEntries(
      Object.entries(file.blocks ?? {}).map(([key, block]) => [
        key,
        sortKeys({ ...block, note: block.note ?? '', group: block.group ?? '', settings: addDefaultSettings(block) }),
      ]),
    ),
  }
}
