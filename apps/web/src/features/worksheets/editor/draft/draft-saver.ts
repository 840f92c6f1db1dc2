import type { UserFile } from '@trellis/contract/worksheets/worksheets.schemas'
import type { TypingPause } from './typing-pause.ts'

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'offline' | 'conflict'

interface DraftPorts {
  save(draft: { content: string; version: string }): Promise<UserFile>
  /** A conflict: somebody else saved. Otherwise the save is retried. */
  isConflict(error: unknown): boolean
  onState(state: SaveState): void
  onText(content: string): void
  /** A copy in the browser until saved, so that a crash loses nothing. */
  remember(content: string | null): void
  wait(ms: number): Promise<void>
  /** Reading and storing a long text must not delay a keystroke. */
  readonly pause: TypingPause
}

const PAUSE_MS = 600
const RETRY_MS = 3_000

export interface DraftSaver {
  /** On every keystroke; the text is read later or on flush. */
  type(read: () => string): void
  change(content: string): void
  peekTyped(): string | undefined
  /** Resolves when saved or stopped by a conflict. */
  flush(): Promise<void>
  /** A version that was not created by a save, e.g. by publishing. */
  adopt(file: Pick<UserFile, 'content' | 'version'>): void
}

/** Serializes saves, each on the version the previous one returned; the latest text wins. */
export function createDraftSaver(first: Pick<UserFile, 'content' | 'version'>, ports: DraftPorts): DraftSaver {
  let { version } = first
  let savedText = first.content
  let latest = first.content
  let isHalted = false
  let working: Promise<void> | undefined
  let isUrgent = false
  let unread: (() => string) | undefined

  async function work(): Promise<void> {
    while (!isHalted && latest !== savedText) {
      if (!isUrgent) await ports.wait(PAUSE_MS)
      const content = latest
      ports.onState('saving')
      try {
        const file = await ports.save({ content, version })
        version = file.version
        savedText = content
        if (latest === content) ports.remember(null)
      } catch (error) {
        isHalted = ports.isConflict(error)
        ports.onState(isHalted ? 'conflict' : 'offline')
        if (isHalted || isUrgent) return
        await ports.wait(RETRY_MS)
      }
    }
    if (!isHalted) ports.onState(unread ? 'unsaved' : 'saved')
  }

  function start(): Promise<void> {
    working ??= work().finally(() => {
      working = undefined
    })
    return working
  }

  function change(content: string): void {
    if (content === latest) {
      if (!isHalted && !working) ports.onState('saved')
      return
    }
    latest = content
    ports.onText(content)
    ports.remember(content)
    if (isHalted) return
    ports.onState('unsaved')
    void start()
  }

  function readTyped(): void {
    const read = unread
    unread = undefined
    if (read) change(read())
  }

  return {
    change,
    peekTyped: () => unread?.(),
    type(read) {
      ports.pause.note()
      if (!unread) void ports.pause.wait().then(readTyped)
      unread = read
      if (!isHalted) ports.onState('unsaved')
    },
    adopt(file) {
      version = file.version
      savedText = file.content
      if (latest !== savedText) void start()
    },
    async flush() {
      readTyped()
      isUrgent = true
      try {
        await start()
        if (latest !== savedText && !isHalted) await start()
      } finally {
        isUrgent = false
      }
    },
  }
}
