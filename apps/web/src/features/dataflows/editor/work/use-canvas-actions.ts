import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import { toTableName, writeInto } from '@trellis/contract/dataflows/start-settings'
import type { BlockCard, BlockMetadata, Canvas, Subtask } from '@trellis/contract/dataflows/task-blocks.schemas'
import { connectActivity, disconnectActivity } from '@trellis/contract/dataflows/trigger-changes'
import { NO_TRIGGER, type TriggerForm } from '@trellis/contract/dataflows/triggers'
import { useMemo } from 'react'
import { getErrorDetail } from '../../../../api/api-error.ts'
import { showToast } from '../../../../ui/feedback/toasts.ts'
import type { BlockRef, Change, Group, GroupWithBlocks, Places } from '../model/changes.ts'
import { clipText, pastePlan, withNewArrows, type Clip, type ClipBlock, type PasteTarget } from '../model/clip.ts'
import type { Point } from '../model/geometry.ts'
import { arrangeBlocks } from './arrange.ts'
import { createBlock, getBlock, updateTrigger } from './block-calls.ts'
import type { CanvasWork } from './use-canvas-work.ts'

interface NewBlockFacts {
  kind: ActivityKind
  name: string
  point: Point
  integration: string | null
  language?: 'sql' | 'javascript'
  after: string | null
}

const toBlockRef = (block: BlockCard): BlockRef => ({ code: block.task_block_trellis_code, kind: block.kind })
const createMetadataAt = ({ x, y }: Point, note = ''): BlockMetadata => ({ x, y, note, group_trellis_code: null })

/** Named after its table once one is chosen. */
const FIRST_SUBTASK: Subtask = {
  name: 'Subtask 1',
  query: {},
  is_incremental: false,
  write: writeInto(toTableName('Subtask 1')),
}

const BURST_MS = 1000

/** Groups repeated actions within a moment into one undo step. */
function createBurstCounter() {
  let [number, key, index] = [0, '', 0]
  return (what: string): string => {
    const now = performance.now()
    if (what !== key || now - index > BURST_MS) number += 1
    ;[key, index] = [what, now]
    return `${number}`
  }
}

export function useCanvasActions(work: CanvasWork) {
  return useMemo(() => actionsOn(work), [work])
}

export type CanvasActions = ReturnType<typeof actionsOn>

function actionsOn({ ground, perform, note, inTurn }: CanvasWork) {
  const { address, dataflow } = ground
  const canvas = (): Canvas => ground.canvas()
  const find = (code: string) => canvas().blocks.find((block) => block.task_block_trellis_code === code)
  const refs = (codes: readonly string[]) => codes.flatMap((code) => find(code) ?? []).map(toBlockRef)
  const findGroupWithBlocks = (code: string): GroupWithBlocks | undefined => {
    const group = canvas().groups.find((candidate) => candidate.trellis_code === code)
    const members = canvas().blocks.filter((block) => block.metadata.group_trellis_code === code)
    return group && { group, members: members.map((member) => member.task_block_trellis_code) }
  }
  const refused = (text: string, error: unknown) => {
    showToast({ tone: 'danger', text, detail: getErrorDetail(error) })
    return undefined
  }

  const placing = (to: Places, burst?: string): Change => {
    const from: Places = {}
    for (const [code, metadata] of Object.entries(to)) {
      const now = find(code)?.metadata
      if (!now) continue
      from[code] = Object.fromEntries(Object.keys(metadata).map((key) => [key, now[key as keyof BlockMetadata]]))
    }
    return { kind: 'place', from, to, ...(burst !== undefined && { burst }) }
  }
  const place = (to: Places, burst?: string) => perform(placing(to, burst))
  const getBurst = createBurstCounter()

  const changeTrigger = (target: string, text: string, change: (form: TriggerForm) => TriggerForm) =>
    inTurn(async () => {
      const block = find(target)
      if (!block) return false
      const ref = toBlockRef(block)
      try {
        const { version, settings } = await getBlock(address, ref)
        const to = change(settings.trigger)
        if (to === settings.trigger) return true
        await updateTrigger(address, ref.kind, { task_block_trellis_code: target, version, trigger: to })
        await note({ kind: 'trigger', block: ref, from: settings.trigger, to })
        return true
      } catch (error) {
        refused(text, error)
        return false
      }
    })

  const create = (facts: NewBlockFacts) =>
    inTurn(async () => {
      const { kind, name, point, integration, language, after } = facts
      const trigger = after === null ? NO_TRIGGER : connectActivity(NO_TRIGGER, after, crypto.randomUUID())
      const subtasks = kind === 'Source' && integration !== null ? [FIRST_SUBTASK] : undefined
      try {
        const createdDraftBlock = await createBlock(address, kind, {
          dataflow_trellis_code: dataflow,
          name,
          metadata: createMetadataAt(point),
          settings: {
            trigger,
            integration_trellis_code: integration,
            ...(language && { language }),
            ...(subtasks && { subtasks }),
          },
        })
        const code = createdDraftBlock.task_block_trellis_code
        await note({ kind: 'exist', isThere: true, blocks: [{ code, kind }], lost: [] })
        return code
      } catch (error) {
        return refused('The block was not added.', error)
      }
    })

  const readClip = async (codes: readonly string[]): Promise<Omit<Clip, 'what' | 'version'>> => {
    const blocks = await Promise.all(
      codes
        .flatMap((code) => find(code) ?? [])
        .map(async (block): Promise<ClipBlock> => {
          const { settings } = await getBlock(address, toBlockRef(block))
          const { x, y, note: words } = block.metadata
          return { ...toBlockRef(block), name: block.name, x, y, note: words, settings: { ...settings } }
        }),
    )
    return { workspace: `${address.account_trellis_code}/${address.workspace_address}`, dataflow, blocks }
  }

  const paste = (clip: Omit<Clip, 'what' | 'version'>, point?: Point) =>
    inTurn(async () => {
      const here: PasteTarget = {
        workspace: `${address.account_trellis_code}/${address.workspace_address}`,
        dataflow,
        names: canvas().blocks.map(({ name }) => name),
        codes: canvas().blocks.map((block) => block.task_block_trellis_code),
        point,
      }
      const createdBlockRefs: BlockRef[] = []
      const codes = new Map<string, string>()
      try {
        for (const plan of pastePlan({ what: 'trellis/blocks', version: 1, ...clip }, here)) {
          const block = await createBlock(address, plan.kind, {
            dataflow_trellis_code: dataflow,
            name: plan.name,
            metadata: createMetadataAt(plan.point, plan.note),
            settings: { ...plan.settings, trigger: withNewArrows(plan.settings.trigger, codes) },
          })
          codes.set(plan.from, block.task_block_trellis_code)
          createdBlockRefs.push({ code: block.task_block_trellis_code, kind: plan.kind })
        }
      } catch (error) {
        refused('Not everything was pasted.', error)
      }
      if (createdBlockRefs.length > 0) await note({ kind: 'exist', isThere: true, blocks: createdBlockRefs, lost: [] })
      return createdBlockRefs.map(({ code }) => code)
    })

  return {
    place,
    arrange: async () => {
      try {
        return await place(await arrangeBlocks(canvas()))
      } catch (error) {
        refused('The blocks were not arranged.', error)
        return false
      }
    },
    move: (codes: readonly string[], by: Point) => {
      const moved = codes.flatMap((code) => find(code) ?? [])
      if (moved.length === 0) return
      void place(
        Object.fromEntries(
          moved.map(({ task_block_trellis_code, metadata: { x, y } }) => [
            task_block_trellis_code,
            { x: x + by.x, y: y + by.y },
          ]),
        ),
        getBurst(codes.join(' ')),
      )
    },
    setNote: (code: string, text: string) => place({ [code]: { note: text } }),
    rename: (code: string, to: string) => perform({ kind: 'rename', code, from: find(code)?.name ?? '', to }),
    connect: (source: string, target: string) =>
      changeTrigger(target, 'The arrow was not drawn.', (form) => connectActivity(form, source, crypto.randomUUID())),
    disconnect: (source: string, target: string) =>
      changeTrigger(target, 'The arrow was not taken away.', (form) => disconnectActivity(form, source)),
    remove: (codes: readonly string[]) => perform({ kind: 'exist', blocks: refs(codes), isThere: false, lost: [] }),
    create,
    paste,
    readClip,
    copyText: async (codes: readonly string[]) => clipText(await readClip(codes)),
    duplicate: async (codes: readonly string[]) => {
      try {
        return await paste(await readClip(codes))
      } catch (error) {
        refused('Nothing was copied.', error)
        return []
      }
    },
    group: (codes: readonly string[], group: Pick<Group, 'name' | 'color' | 'note'>) => {
      const grouped = codes.filter((code) => find(code)?.metadata.group_trellis_code)
      const leave: Change[] =
        grouped.length === 0
          ? []
          : [
              {
                kind: 'place',
                from: Object.fromEntries(
                  grouped.map((code) => [
                    code,
                    { group_trellis_code: find(code)?.metadata.group_trellis_code ?? null },
                  ]),
                ),
                to: Object.fromEntries(grouped.map((code) => [code, { group_trellis_code: null }])),
              },
            ]
      const createdGroup: Group = { ...group, trellis_code: '', is_folded: false }
      const change: Change = { kind: 'group', from: null, to: { group: createdGroup, members: [...codes] } }
      return perform(leave.length === 0 ? change : { kind: 'several', changes: [change, ...leave].toReversed() })
    },
    changeGroup: (code: string, change: Partial<Group>) => {
      const from = findGroupWithBlocks(code)
      if (!from) return Promise.resolve(false)
      return perform({ kind: 'group', from, to: { ...from, group: { ...from.group, ...change } } })
    },
    ungroup: (code: string) => perform({ kind: 'group', from: findGroupWithBlocks(code) ?? null, to: null }),
    moveToGroup: (codes: readonly string[], group: string | null) => {
      const change = placing(Object.fromEntries(codes.map((code) => [code, { group_trellis_code: group }])))
      const emptiedGroups = canvas()
        .groups.filter(({ trellis_code }) => trellis_code !== group)
        .flatMap(({ trellis_code }) => findGroupWithBlocks(trellis_code) ?? [])
        .filter(({ members }) => members.length > 0 && members.every((code) => codes.includes(code)))
      if (emptiedGroups.length === 0) return perform(change)
      const removedChanges = emptiedGroups.map((groupWithBlocks): Change => ({
        kind: 'group',
        from: { ...groupWithBlocks, members: [] },
        to: null,
      }))
      return perform({ kind: 'several', changes: [change, ...removedChanges] })
    },
    groupWith: findGroupWithBlocks,
    find,
  }
}
