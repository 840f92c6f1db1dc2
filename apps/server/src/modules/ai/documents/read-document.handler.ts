import { MAX_DOCUMENT_CHARACTERS } from '@trellis/contract/ai/documents.schemas'
import { transaction } from '@trellis/control-db/database'
import type { JobRun } from '@trellis/jobs/attempt'
import type { SystemCtx } from '../../../platform/ctx.ts'
import {
  type DocumentEnd,
  endDocument,
  findUnreadDocument,
  insertPassages,
  isDocumentUnread,
} from './documents.repository.ts'
import { DocumentProblem, readDocumentText } from './extract/extract-text.ts'
import { type Passage, splitPassages } from './extract/split-passages.ts'

const BROKEN = 'Something went wrong on our side. Send the file again.'
const CANCEL_CHECK_MS = 500
const TABLE_NAME = /\.(?:csv|tsv)$/i
const NO_TEXT = 'The file holds no text.'

interface ReadResult {
  readonly passages: readonly Passage[]
  readonly end: DocumentEnd
}

export async function handleReadDocument(
  ctx: SystemCtx,
  { document_id }: { document_id: number },
  run: JobRun,
): Promise<void> {
  const document = await findUnreadDocument(ctx.db, document_id)
  if (!document?.content) return
  const stopping = new AbortController()
  const timer = setInterval(() => void stopWhenSettled(ctx, document.id, stopping), CANCEL_CHECK_MS)
  const signal = AbortSignal.any([run.signal, stopping.signal])
  const file = { name: document.name, content: document.content }
  const { passages, end } = await read(ctx, file, { ...run, signal })
    .catch((error: unknown) => {
      if (stopping.signal.aborted) return { passages: [], end: null }
      throw error
    })
    .finally(() => clearInterval(timer))
  if (!end) return
  await transaction(ctx, async ({ db }) => {
    if (await endDocument(db, document.id, end)) await insertPassages(db, document, passages)
  })
}

async function stopWhenSettled(ctx: SystemCtx, id: number, stopping: AbortController): Promise<void> {
  const isUnread = await isDocumentUnread(ctx.db, id).catch(() => true)
  if (!isUnread) stopping.abort()
}

async function read(
  ctx: SystemCtx,
  { name, content }: { name: string; content: Buffer },
  run: JobRun,
): Promise<ReadResult> {
  const finished_at = ctx.clock.now()
  try {
    const request = { bytes: content, maxCharacters: MAX_DOCUMENT_CHARACTERS }
    const text = await readDocumentText(request, { signal: run.signal })
    const isTable = text.pageCount === null && TABLE_NAME.test(name)
    const { passages, isCut } = splitPassages({ ...text, isTable }, MAX_DOCUMENT_CHARACTERS)
    if (passages.length === 0) throw new DocumentProblem(NO_TEXT)
    const counts = { page_count: text.pageCount, passage_count: passages.length, is_cut: isCut }
    return { passages, end: { status: 'completed', ...counts, finished_at } }
  } catch (error) {
    const isKnown = error instanceof DocumentProblem
    if (!isKnown && (!run.isLastAttempt || run.signal.aborted)) throw error
    if (!isKnown) ctx.log.error({ err: error }, 'a document could not be read')
    return { passages: [], end: { status: 'failed', problem: isKnown ? error.message : BROKEN, finished_at } }
  }
}
