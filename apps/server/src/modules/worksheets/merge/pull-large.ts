import { createThread } from '../../../platform/threads/create-thread.ts'
import { type PullInput, type PullOutcome, pullChanges } from './pull-changes.ts'

/** A megabyte of which every line changed on both sides takes 0.4 s, a thousand small files 0.1 s. */
const MAX_INLINE_CHARACTERS = 100_000
const TIMEOUT_MS = 60_000

const thread = createThread<{ pullChanges: (input: PullInput) => PullOutcome }>(
  new URL('./merge-thread.ts', import.meta.url),
  { timeoutMs: TIMEOUT_MS },
)

/** The same as `pullChanges`, without blocking the process on long texts. */
export async function pullLarge(input: PullInput): Promise<PullOutcome> {
  let characters = 0
  for (const text of input.texts.values()) characters += text.length
  return characters <= MAX_INLINE_CHARACTERS ? pullChanges(input) : await thread.run('pullChanges', input)
}
