import type { UserFile } from '@trellis/contract/worksheets/worksheets.schemas'
import type { TypingPause } from './typing-pause.ts'

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'offline' | 'conflict'

interface DraftPorts {
  save(draft: { content: string; version: string }): Promise<UserFile>
  /** What a failed save means: somebody else saved meanwhile, or it may be tried again. */
  isConflict(error: unknown): boolean
  onState(state: SaveState): void
  /** The text as it is now, a moment after it was typed. */
  onText(content: string): void
  /** Kept in the browser until the server has it, so that a crash of the tab loses nothing. */
  remember(content: string | null): void
  wait(ms: number): Promise<void>
  /** A key must not wait for a long text to be read, kept and shown elsewhere: that happens between keys. */
  readonly pause: TypingPause
}

const PAUSE_MS = 600
const RETRY_MS = 3_000

export interface DraftSaver {
  /** For every key: the text is read a moment later, or when it is flushed. */
  type(read: () => string): void
  change(content: string): void
  /** The text as it was typed a moment ago, while nobody else has heard of it. */
  peekTyped(): string | undefined
  /** Saves now what waits; done when the server has it or a conflict stopped it. */
  flush(): Promise<void>
  /** A version of the file that something else than a save made, such as publishing it. */
  adopt(file: Pick<UserFile, 'content' | 'version'>): void
}

/** One save at a time, each on top of the version the one before returned; the latest text always wins. */
export function createDraftSaver(first: Pick<UserFile, 'content' | 'version'>, ports: DraftPorts): DraftSaver {
  let { version } = first
  let saved = first.content
  let latest = first.content
  let isHalted = false
  let working: Promise<void> | undefined
  let isUrgent = false
  let unread: (() => string) | undefined

  async function work(): Promise<void> {
    while (!isHalted && latest !== saved) {
      if (!isUrgent) await ports.wait(PAUSE_MS)
      const content = latest
      ports.onState('saving')
      try {
        const file = await ports.save({ content, version })
        version = file.version
        saved = content
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
      saved = file.content
      if (latest !== saved) void start()
    },
    async flush() {
      readTyped()
      isUrgent = true
      try {
        await start()
        if (latest !== saved && !isHalted) await start()
      } finally {
        isUrgent = false
      }
    },
  }
}
