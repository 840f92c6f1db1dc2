import { createThread } from '../../../platform/threads/create-thread.ts'
import { type MergedText, type TextSides, mergeText } from './merge-text.ts'
import { type PullInput, type PullOutcome, pullChanges } from './pull-changes.ts'

/** Larger merges run in a thread: a megabyte changed on both sides takes 0.4 s. */
const MAX_INLINE_CHARACTERS = 100_000
const TIMEOUT_MS = 60_000

const thread = createThread<{
  pullChanges: (input: PullInput) => PullOutcome
  mergeText: (sides: TextSides) => MergedText
}>(new URL('./merge-thread.ts', import.meta.url), { timeoutMs: TIMEOUT_MS })

function countCharacters(texts: Iterable<string>): number {
  let characters = 0
  for (const text of texts) characters += text.length
  return characters
}

export async function pullInThreadIfLarge(input: PullInput): Promise<PullOutcome> {
  const isSmall = countCharacters(input.texts.values()) <= MAX_INLINE_CHARACTERS
  return isSmall ? pullChanges(input) : await thread.run('pullChanges', input)
}

export async function mergeLarge(all: readonly TextSides[]): Promise<MergedText[]> {
  const mergedTexts: MergedText[] = []
  let characters = 0
  for (const sides of all) {
    characters += countCharacters([sides.base, sides.mine, sides.theirs])
    mergedTexts.push(characters <= MAX_INLINE_CHARACTERS ? mergeText(sides) : await thread.run('mergeText', sides))
  }
  return mergedTexts
}
