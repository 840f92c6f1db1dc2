import { ACTIVITY_KINDS, type ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import { disconnectActivity } from '@trellis/contract/dataflows/trigger-changes'
import { TriggerForm, usedActivities, type Action } from '@trellis/contract/dataflows/triggers'
import * as z from 'zod/mini'
import type { Point } from './geometry.ts'
import { snapToGrid } from './geometry.ts'
import { upstreamFirst } from '../../../../running/flow-order.ts'

const MARK = 'trellis/blocks'
const MAX_PASTED = 200

const ClipBlock = z.object({
  code: z.string(),
  kind: z.enum(ACTIVITY_KINDS),
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  x: z.number(),
  y: z.number(),
  note: z.string(),
  settings: z.looseObject({ trigger: TriggerForm, integration_trellis_code: z.nullable(z.string()) }),
})
export type ClipBlock = z.infer<typeof ClipBlock>

/** Copied blocks as JSON. Contains settings but no secrets, which belong to the connection. */
const Clip = z.object({
  what: z.literal(MARK),
  version: z.literal(1),
  /** `account/workspace` of origin; elsewhere its connections don't exist. */
  workspace: z.string(),
  dataflow: z.string(),
  blocks: z.array(ClipBlock).check(z.minLength(1), z.maxLength(MAX_PASTED)),
})
export type Clip = z.infer<typeof Clip>

export const clipText = (clip: Omit<Clip, 'what' | 'version'>): string =>
  JSON.stringify({ what: MARK, version: 1, ...clip }, null, 2)

export function parseClip(text: string): Clip | null {
  if (!text.includes(MARK)) return null
  try {
    const parsed = z.safeParse(Clip, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** “Orders” → “Orders copy”, “Orders copy 2”. */
export function copyName(name: string, takenNames: ReadonlySet<string>): string {
  if (!takenNames.has(name)) return name
  const base = name.replace(/ copy( \d+)?$/, '').slice(0, 88)
  for (let number = 1; ; number += 1) {
    const next = number === 1 ? `${base} copy` : `${base} copy ${number}`
    if (!takenNames.has(next)) return next
  }
}

export interface PastePlan {
  name: string
  kind: ActivityKind
  point: Point
  note: string
  from: string
  settings: ClipBlock['settings']
}

export interface PasteTarget {
  workspace: string
  dataflow: string
  names: readonly string[]
  codes: readonly string[]
  /** Upper left corner; defaults to an offset from the originals. */
  point?: Point | undefined
}

/** Upstream first, so that a copy can refer to the copies it waits for. */
export function pastePlan(clip: Clip, target: PasteTarget): PastePlan[] {
  const left = Math.min(...clip.blocks.map(({ x }) => x))
  const top = Math.min(...clip.blocks.map(({ y }) => y))
  const shift = target.point ? { x: target.point.x - left, y: target.point.y - top } : { x: 48, y: 48 }
  const takenNames = new Set(target.names)
  const isSamePlace = clip.workspace === target.workspace
  const isSameFlow = isSamePlace && clip.dataflow === target.dataflow
  const knownCodes = new Set([...clip.blocks.map(({ code }) => code), ...(isSameFlow ? target.codes : [])])
  const sorted = upstreamFirst(
    clip.blocks.map((block) => ({
      ...block,
      task_block_trellis_code: block.code,
      waits_for: usedActivities(block.settings.trigger),
    })),
  )
  return sorted.map(({ code, kind, name, x, y, note, settings, waits_for }) => {
    const newName = copyName(name, takenNames)
    takenNames.add(newName)
    const strangers = waits_for.filter((item) => !knownCodes.has(item))
    return {
      name: newName,
      kind,
      note,
      from: code,
      point: { x: snapToGrid(x + shift.x), y: snapToGrid(y + shift.y) },
      settings: {
        ...settings,
        trigger: strangers.reduce(disconnectActivity, settings.trigger),
        integration_trellis_code: isSamePlace ? settings.integration_trellis_code : null,
      },
    }
  })
}

export function withNewArrows(trigger: TriggerForm, codes: ReadonlyMap<string, string>): TriggerForm {
  const swapped = ([id, action]: [string, Action]): [string, Action] => {
    if (action.action !== 'Activity') return [id, action]
    const { taskBlockTrellisCode: code } = action.actionValue
    return [id, { ...action, actionValue: { taskBlockTrellisCode: codes.get(code) ?? code } }]
  }
  return { ...trigger, actions: Object.fromEntries(Object.entries(trigger.actions).map(swapped)) }
}
