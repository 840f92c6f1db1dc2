import type { TriggerForm } from '@trellis/contract/dataflows/triggers'
import { listActions, isEmptyAction, isTriggerComplete } from '@trellis/contract/dataflows/triggers'
import type { Schedule } from '../schedules/schedule.ts'
import { parseSchedule } from '../schedules/schedule.ts'

/** `activity:` is followed by the code of the upstream block, so that moving cards does not change it. */
export type BranchName = 'schedule' | `activity:${string}`

export type Branch =
  | { readonly name: 'schedule'; readonly schedule: Schedule }
  | { readonly name: `activity:${string}`; readonly blockId: string }

export interface Trigger {
  readonly scope: 'none' | 'any' | 'all'
  readonly branches: readonly Branch[]
}

export const toActivityBranch = (blockId: string): `activity:${string}` => `activity:${blockId}`
export const NO_TRIGGER: Trigger = { scope: 'none', branches: [] }

const SCOPE_BY_EVALUATION = { NO_TRIGGER: 'none', Or: 'any', And: 'all' } as const

/** Empty cards are ignored. `anchor`: when it was published. */
export function parseTrigger(form: TriggerForm, publishedAt: number): Trigger {
  if (!isTriggerComplete(form)) throw new Error('The trigger is not complete')
  const branches = listActions(form).flatMap(([, action]): Branch[] => {
    if (isEmptyAction(action)) return []
    if (action.action === 'Schedule')
      return [{ name: 'schedule', schedule: parseSchedule(action.actionValue, publishedAt) }]
    const { taskBlockTrellisCode: blockId } = action.actionValue
    return [{ name: toActivityBranch(blockId), blockId }]
  })
  return branches.length === 0 ? NO_TRIGGER : { scope: SCOPE_BY_EVALUATION[form.eventEvaluationType], branches }
}

export const listUpstreamBlocks = ({ branches }: Trigger): string[] =>
  branches.flatMap((branch) => ('blockId' in branch ? [branch.blockId] : []))

export const findSchedule = ({ branches }: Trigger): Schedule | undefined =>
  branches.flatMap((branch) => ('schedule' in branch ? [branch.schedule] : []))[0]
