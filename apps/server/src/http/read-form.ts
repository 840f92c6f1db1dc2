import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../platform/app-error.ts'
import { UNSTORABLE_TEXT, findUnstorableText } from './unstorable-text.ts'

export interface Form {
  readonly fields: Readonly<Record<string, string>>
  /** False if the file was truncated. */
  readonly isWhole: boolean
}

const LIMITS = { fields: 20, fieldSize: 10_000, files: 1, parts: 21 }

/** The file is streamed, since fields may come before or after it. */
export async function readForm(
  request: FastifyRequest,
  { maxBytes, take }: { maxBytes: number; take: (file: Readable, fileName: string) => Promise<void> },
): Promise<Form> {
  if (!request.isMultipart()) {
    throw new AppError('media_type_unsupported', 'Send a form with the file in it (multipart/form-data).')
  }
  const fields: Record<string, string> = {}
  let isWhole = true
  let files = 0
  try {
    for await (const part of request.parts({ limits: { ...LIMITS, fileSize: maxBytes } })) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value)
      else {
        files += 1
        await take(part.file, part.filename ?? '')
        isWhole &&= !part.file.truncated
      }
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('invalid_request', 'The form could not be read to its end. Send it again.', { cause: error })
  }
  if (files === 0)
    throw new AppError('invalid_request', 'The form has no file in it.', { source: { pointer: '/file' } })
  const unstorable = findUnstorableText(fields)
  if (unstorable)
    throw new AppError('invalid_request', UNSTORABLE_TEXT, { source: { pointer: `/${unstorable.join('/')}` } })
  return { fields, isWhole }
}
