import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type FoundPassage, searchPassages } from '../documents/documents.repository.ts'

const MAX_PASSAGES = 5
const MIN_SHARE = 0.6

export async function searchDocuments(
  ctx: WorkspaceCtx,
  place: { projectId: number; conversationId: number | null },
  { text, isStrict }: { text: string; isStrict: boolean },
): Promise<FoundPassage[]> {
  const passages = await searchPassages(ctx, place, { text, limit: MAX_PASSAGES })
  return passages.filter(({ matched, words }) => !isStrict || (matched >= 2 && matched / words >= MIN_SHARE))
}
