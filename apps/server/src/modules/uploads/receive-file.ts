import { type Readable } from 'node:stream'
import { MAX_FILE_BYTES, PART_BYTES, UploadFields, type UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import * as z from 'zod/mini'
import { randomUUID } from 'node:crypto'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { deleteParts, countParts, putPart, getPartSize } from './file-parts.ts'
import { toUploadFile } from './show-file.ts'
import { findRemainingStorage, getFile, storageFullError, startUpload } from './uploads.service.ts'
import { addPart, completeFileRow } from './uploads.repository.ts'

/** Truncates a part that is too long; discards one that is too short. */
export async function receivePart(
  ctx: WorkspaceCtx,
  { file_id, part }: { file_id: string; part: number },
): Promise<UploadFile> {
  const file = await getFile(ctx, file_id)
  if (file.state !== 'uploading') throw createCompleteError()
  if (part > countParts(file.size_bytes))
    throw new AppError('conflict', `The file has ${countParts(file.size_bytes)} parts.`)
  const expected = getPartSize(file.size_bytes, part)
  const body = await readUpTo(ctx.http.bytes(), expected)
  if (body.length !== expected) {
    throw new AppError('conflict', `Part ${part} must have ${expected} bytes; ${body.length} came. Send it again.`)
  }
  if ((await getFile(ctx, file_id)).state !== 'uploading') throw createCompleteError()
  await putPart(ctx.ports.objects, file, { part, body })
  if (!(await addPart(ctx, file.id, { number: part, bytes: expected }))) {
    // A part of a deleted file would be an orphan.
    await getFile(ctx, file_id).catch(() => deleteParts(ctx.ports.objects, file))
    throw createCompleteError()
  }
  return await toUploadFile(ctx, await getFile(ctx, file.id))
}

const createCompleteError = () => new AppError('conflict', 'The file is complete; it takes no more parts.')

async function readUpTo(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length
    if (bytes > maxBytes) throw new AppError('body_too_large', `This part may have at most ${maxBytes} bytes.`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** Idempotent: the response of the first call may be lost with a connection. */
export async function finishUpload(ctx: WorkspaceCtx, fileId: string): Promise<UploadFile> {
  const file = await getFile(ctx, fileId)
  if (file.state !== 'uploading') return await toUploadFile(ctx, file)
  if (file.size_bytes === 0) throw new AppError('upload_refused', 'The file is empty.')
  const parts = file.parts as Record<string, number>
  const missing = Array.from({ length: countParts(file.size_bytes) }, (_, index) => index + 1).filter(
    (part) => !(part in parts),
  )
  if (missing.length > 0) {
    const firstMissing = missing.slice(0, 5).join(', ')
    throw new AppError(
      'conflict',
      `Parts are missing: ${firstMissing}${missing.length > 5 ? ' and more' : ''}. Send them, then finish.`,
    )
  }
  await completeFileRow(ctx, file.id)
  return await toUploadFile(ctx, await getFile(ctx, file.id))
}

/** Fields may follow the file, so it is stored under a new id first. */
export async function receiveForm(ctx: WorkspaceCtx): Promise<UploadFile> {
  await ctx.ports.objects.assertSpace()
  const remainingStorage = await findRemainingStorage(ctx)
  if (remainingStorage === 0) throw storageFullError()
  const uploadKey = { id: randomUUID(), workspace_id: ctx.workspace.id }
  const parts: Record<string, number> = {}
  try {
    const form = await ctx.http.form({
      maxBytes: Math.min(MAX_FILE_BYTES, remainingStorage ?? MAX_FILE_BYTES),
      take: async (stream) => {
        for await (const body of splitIntoParts(stream)) {
          const part = Object.keys(parts).length + 1
          parts[part] = await putPart(ctx.ports.objects, uploadKey, { part, body })
        }
      },
    })
    if (!form.isWhole && remainingStorage !== null && remainingStorage < MAX_FILE_BYTES) throw storageFullError()
    if (!form.isWhole) throw new AppError('body_too_large', 'A file may have at most 50 GB.')
    const size = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)
    if (size === 0) throw new AppError('upload_refused', 'The file is empty.')
    const fields = parseFields(form.fields)
    const file = await startUpload(ctx, { ...fields, size_bytes: size, id: uploadKey.id, parts })
    return await toUploadFile(ctx, file)
  } catch (error) {
    await deleteParts(ctx.ports.objects, uploadKey)
    throw error
  }
}

function parseFields(fields: Readonly<Record<string, string>>) {
  const parsed = z.safeParse(UploadFields, fields)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const name = String(issue?.path[0] ?? '')
  throw new AppError('invalid_request', `${name}: ${issue?.message ?? 'not valid'}`, {
    source: { pointer: `/${name}` },
  })
}

async function* splitIntoParts(stream: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    let remainingChunk = chunk as Buffer
    while (bytes + remainingChunk.length >= PART_BYTES) {
      const partEnd = remainingChunk.subarray(0, PART_BYTES - bytes)
      yield Buffer.concat([...chunks, partEnd])
      chunks = []
      remainingChunk = remainingChunk.subarray(partEnd.length)
      bytes = 0
    }
    if (remainingChunk.length > 0) chunks.push(remainingChunk)
    bytes += remainingChunk.length
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}
