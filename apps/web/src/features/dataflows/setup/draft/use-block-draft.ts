import type { BlockFault } from '@trellis/contract/dataflows/task-blocks.schemas'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { getCanvas } from '@trellis/contract/dataflows/canvas.endpoints'
import type * as z from 'zod/mini'
import { showToast } from '../../../../ui/feedback/toasts.ts'
import { useHeldWhilePressed } from '../../../../ui/forms/pointer-press.ts'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { getSettingPhrase } from '../versions/setting-labels.ts'
import { readBlock, getReadEndpoint, saveBlock, type Block, type Parts, type Settings } from './block-kinds.ts'
import { draftMemory } from './draft-memory.ts'
import { createDraftStore, type DraftState, type DraftStore } from './draft-store.ts'
import { withPartAt } from './settings-parts.ts'

export type Fault = z.infer<typeof BlockFault>

export interface BlockDraft<S = Settings> extends Omit<DraftState, 'settings' | 'faults'> {
  settings: S
  isDisabled: boolean
  /** Server-side errors of the saved settings, and client-side ones. */
  faults: readonly Fault[]
  /** Shown after touch, or after all errors were requested. */
  faultAt: (path: string) => string | undefined
  touch: (path: string) => void
  showFaults: () => void
  set: (path: string, value: unknown) => void
  change: (change: (settings: S) => S, fieldPath: string | null) => void
  amend: (change: (settings: S) => S) => void
  store: DraftStore
}

export function useBlockDraft(block: Block): BlockDraft {
  const { address, canWrite } = useDataflowsScope()
  const client = useQueryClient()
  const [store] = useState(() => {
    const params = { ...address, task_block_trellis_code: block.task_block_trellis_code }
    return createDraftStore({
      block,
      memory: draftMemory,
      save: (kind, change) => saveBlock(kind, params, change),
      read: (kind) => readBlock(kind, params),
      onSaved: (savedBlock) => {
        client.setQueryData([getReadEndpoint(savedBlock.kind).id, { params }], savedBlock)
        void client.invalidateQueries({ queryKey: [getCanvas.id], refetchType: 'none' })
      },
      onMerged: (who, names) =>
        showToast({
          text: `${who ?? 'Somebody else'} changed ${names.map(getSettingPhrase).join(', ')} meanwhile. Both changes hold.`,
        }),
    })
  })
  const state = useSyncExternalStore(store.subscribe, store.get)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isAllShown, setAllShown] = useState(false)
  useEffect(() => {
    store.start()
    const save = () => void store.flush()
    const saveWhenHidden = () => document.visibilityState === 'hidden' && save()
    window.addEventListener('online', save)
    document.addEventListener('visibilitychange', saveWhenHidden)
    return () => {
      window.removeEventListener('online', save)
      document.removeEventListener('visibilitychange', saveWhenHidden)
      store.stop()
    }
  }, [store])
  const found = useMemo(
    () => [
      ...state.problems.map((problem): Fault => ({ kind: 'invalid', ...problem })),
      ...state.faults.filter(({ path }) => !state.problems.some((problem) => problem.path === path)),
    ],
    [state],
  )
  const faults = useHeldWhilePressed(found, found)
  const actions = useMemo(
    () => ({
      set: (path: string, value: unknown) => store.change((oldParts) => withPartAt(oldParts, path, value), path),
      change: (change: (settings: Settings) => Settings, fieldPath: string | null) =>
        store.change((oldParts) => change(oldParts as Settings) as Parts, fieldPath),
      amend: (change: (settings: Settings) => Settings) =>
        store.amend((oldParts) => change(oldParts as Settings) as Parts),
      touch: (path: string) => setTouched((old) => (old.has(path) ? old : new Set(old).add(path))),
      showFaults: () => setAllShown(true),
    }),
    [store],
  )
  return {
    ...state,
    ...actions,
    store,
    settings: state.settings as Settings,
    faults,
    isDisabled: !canWrite,
    faultAt: (path) =>
      isAllShown || touched.has(path) ? faults.find((fault) => fault.path === path)?.message : undefined,
  }
}

const Here = createContext<BlockDraft | null>(null)
export const DraftProvider = Here.Provider

/** The caller knows the kind of block. */
export function useDraft<S extends Settings = Settings>(): BlockDraft<S> {
  const draft = useContext(Here)
  if (!draft) throw new Error('A setting stands outside of its block')
  return draft as unknown as BlockDraft<S>
}
