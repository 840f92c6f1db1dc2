import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import { ApiError } from '../../../../api/api-error.ts'
import { createHistory, recordChange, redoHistory, undoHistory, type History } from '../../../../ui/forms/history.ts'
import type { Block, Parts } from './block-kinds.ts'
import type { DraftMemory } from './draft-memory.ts'
import { changedParts, isSameData, getPartAt, pickParts, toSendable, type PartProblem } from './settings-parts.ts'

export interface DraftState {
  settings: Parts
  block: Block
  save: 'saved' | 'waiting' | 'saving' | 'failed' | 'unfit' | 'conflict'
  error: string | null
  problems: readonly PartProblem[]
  /** Server-side validation errors that still apply to the draft. */
  faults: Block['faults']
  /** A conflicting save by somebody else, until resolved. */
  theirs: Block | null
  /** Restored unsaved changes of an earlier visit. */
  isBroughtBack: boolean
  canUndo: boolean
  canRedo: boolean
}

export interface DraftOptions {
  block: Block
  memory: DraftMemory
  save: (kind: ActivityKind, change: { version: number; settings: Parts }) => Promise<Block>
  read: (kind: ActivityKind) => Promise<Block>
  onSaved?: (block: Block) => void
  /** A save by somebody else of other parts was merged. */
  onMerged?: (who: string | null, names: readonly string[]) => void
}

export const SAVE_AFTER_MS = 600
const AGAIN_MS = [2000, 5000, 15_000, 30_000] as const

/**
 * Autosave with one request at a time. Nothing typed is lost, whether a save is refused, somebody else saves, or the
 * connection drops.
 */
export function createDraftStore({ block, memory, ...options }: DraftOptions) {
  const code = block.task_block_trellis_code
  const { kind } = block
  const keptDraft = memory.find(code)
  let base: Parts = block.settings
  let version = block.version
  let server = block
  let history: History<Parts> = createHistory(base)
  let theirs: Block | null = null
  let error: string | null = null
  let problems: readonly PartProblem[] = []
  /** The settings that `problems` were found in. */
  let judgedParts: Parts = base
  let saving: Promise<boolean> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isBroughtBack = false
  let isStopped = false
  const listeners = new Set<() => void>()
  let state = stateNow()

  if (keptDraft) restoreParts(keptDraft.base, keptDraft.settings)

  function restoreParts(from: Parts, settings: Parts): void {
    const mine = changedParts(from, settings)
    const next = { ...base, ...pickParts(settings, mine) }
    if (changedParts(base, next).length === 0) return memory.forget(code)
    history = recordChange(history, next, null)
    isBroughtBack = true
    scheduleSave()
    state = stateNow()
  }

  function stateNow(): DraftState {
    return {
      settings: history.now,
      block: server,
      save: saveState(),
      error,
      problems: problems.filter(({ path }) => isUnchanged(judgedParts, path)),
      faults: server.faults.filter(({ path }) => isUnchanged(base, path)),
      theirs,
      isBroughtBack,
      canUndo: history.past.length > 0,
      canRedo: history.future.length > 0,
    }
  }

  /** An error found in an older value no longer applies. */
  function isUnchanged(since: Parts, path: string): boolean {
    return isSameData(getPartAt(since, path), getPartAt(history.now, path))
  }

  function saveState(): DraftState['save'] {
    if (theirs) return 'conflict'
    if (saving) return 'saving'
    if (changedParts(base, history.now).length === 0) return 'saved'
    if (error !== null) return 'failed'
    return problems.length > 0 && timer === undefined ? 'unfit' : 'waiting'
  }

  function notify(): void {
    state = stateNow()
    for (const listener of listeners) listener()
  }

  function scheduleSave(ms = SAVE_AFTER_MS): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      void flush()
    }, ms)
  }

  function applyHistory(next: History<Parts>): void {
    if (next === history) return
    history = next
    saveOrDiscard()
    if (!theirs) scheduleSave()
    notify()
  }

  function saveOrDiscard(): void {
    if (changedParts(base, history.now).length === 0) {
      memory.forget(code)
      isBroughtBack = false
    } else memory.keep(code, { version, base, settings: history.now })
  }

  /** True when everything is saved. */
  async function flush(): Promise<boolean> {
    if (saving) {
      await saving
      return await flush()
    }
    clearTimeout(timer)
    timer = undefined
    const names = changedParts(base, history.now)
    if (theirs || isStopped) return false
    const fit = toSendable(kind, history.now, names)
    problems = fit.problems
    judgedParts = history.now
    if (fit.names.length === 0) {
      notify()
      return names.length === 0
    }
    saving = send(fit.names)
    notify()
    const isDone = await saving
    saving = null
    saveOrDiscard()
    notify()
    if (!isDone) return false
    const rest = changedParts(base, history.now)
    if (rest.length > 0 && problems.length === 0) scheduleSave()
    return rest.length === 0
  }

  async function send(names: readonly string[]): Promise<boolean> {
    const sentParts = pickParts(history.now, names)
    try {
      settle(await options.save(kind, { version, settings: sentParts }), sentParts)
      return true
    } catch (caught) {
      if (caught instanceof ApiError && caught.code === 'conflict') return await resolveConflict()
      fail(caught)
      return false
    }
  }

  function settle(savedBlock: Block, sentParts: Parts): void {
    // Normalization by the server, such as trimming, must not change what is being typed.
    base = { ...savedBlock.settings, ...sentParts }
    version = savedBlock.version
    server = savedBlock
    error = null
    failures = 0
    options.onSaved?.(savedBlock)
  }

  function fail(caught: unknown): void {
    error = caught instanceof Error ? caught.message : 'It could not be saved.'
    // A 4xx will be refused again.
    const isForGood = caught instanceof ApiError && caught.status >= 400 && caught.status < 500 && caught.status !== 429
    if (!isForGood && !isStopped) scheduleSave(AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)])
    failures += 1
  }

  /** Edit conflict: merges changes of different parts, asks for the same part. */
  async function resolveConflict(): Promise<boolean> {
    try {
      const current = await options.read(kind)
      const others = changedParts(base, current.settings)
      const mine = changedParts(base, history.now)
      if (others.some((name) => mine.includes(name))) {
        theirs = current
        return false
      }
      rebaseOnto(current, mine)
      if (others.length > 0) options.onMerged?.(current.updated_by, others)
      return true
    } catch (caught) {
      fail(caught)
      return false
    }
  }

  /** Continues from the server's block, with the local changes of the parts in `mine`. */
  function rebaseOnto(current: Block, mine: readonly string[]): void {
    const now = { ...current.settings, ...pickParts(history.now, mine) }
    base = current.settings
    version = current.version
    server = current
    theirs = null
    error = null
    history = { ...history, now }
    options.onSaved?.(current)
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    get: () => state,
    change: (change: (settings: Parts) => Parts, fieldPath: string | null) => {
      error = null
      applyHistory(recordChange(history, change(history.now), fieldPath))
    },
    /** Automatic changes are no undo step, and opening a published block does not change it. */
    amend: (change: (settings: Parts) => Parts) => {
      const isLive = server.publish_state === 'published' && changedParts(base, history.now).length === 0
      if (!isLive) applyHistory({ ...history, now: change(history.now) })
    },
    undo: () => applyHistory(undoHistory(history)),
    redo: () => applyHistory(redoHistory(history)),
    flush,
    /** Changed elsewhere: a version restored, a name changed. */
    refresh: async () => {
      const current = await options.read(kind)
      rebaseOnto(current, changedParts(base, history.now))
      notify()
    },
    replace: (current: Block) => {
      history = recordChange(history, current.settings, null)
      rebaseOnto(current, [])
      saveOrDiscard()
      notify()
    },
    keepMine: () => {
      if (!theirs) return
      rebaseOnto(theirs, changedParts(base, history.now))
      void flush()
      notify()
    },
    takeTheirs: () => {
      if (!theirs) return
      history = recordChange(history, theirs.settings, null)
      rebaseOnto(theirs, [])
      saveOrDiscard()
      notify()
    },
    discard: () => applyHistory(recordChange(history, base, null)),
    start: () => {
      isStopped = false
      if (state.save === 'waiting') scheduleSave()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

export type DraftStore = ReturnType<typeof createDraftStore>
