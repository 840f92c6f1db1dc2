import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type FoundPassage, searchPassages } from '../documents/documents.repository.ts'

const MAX_PASSAGES = 5
/** A passage answers the question only when it has so much of its words. */
const MIN_SHARE = 0.6

/** Passages that have most words of a question; with `isStrict` only those that have nearly all of them. */
export async function searchDocuments(
  ctx: WorkspaceCtx,
  place: { projectId: number; conversationId: number | null },
  { text, isStrict }: { text: string; isStrict: boolean },
): Promise<FoundPassage[]> {
  const found = await searchPassages(ctx, place, { text, limit: MAX_PASSAGES })
  return found.filter(({ matched, words }) => !isStrict || (matched >= 2 && matched / words >= MIN_SHARE))
}
