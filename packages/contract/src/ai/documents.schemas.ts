import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { visibleName } from '../core/visible-text.ts'

export const MAX_DOCUMENT_BYTES = 20 * 1024 * 1024
export const MAX_DOCUMENT_CHARACTERS = 2_000_000
export const MAX_DOCUMENTS = 1000

const Code = z.string().check(z.regex(/^[a-z0-9]{1,40}$/))
export const FileParams = z.extend(WorkspaceParams, { file_id: Code })
export const TaskParams = z.extend(WorkspaceParams, { task_id: Code })
export const FilesQuery = z.object({ include_deleted: z.optional(z.stringbool()) })

const TaskStatus = z.enum(['in_progress', 'completed', 'failed'])
export const Document = z.object({
  file_id: z.string(),
  /** For `getUploadTask`. */
  task_id: z.string(),
  name: z.string(),
  size_bytes: z.int(),
  /** Scope of the search: a project, one conversation, or all projects when both are null. */
  project_trellis_code: z.nullable(z.string()),
  conversation_trellis_code: z.nullable(z.string()),
  status: TaskStatus,
  problem: z.nullable(z.string()),
  page_count: z.nullable(z.int()),
  passage_count: z.int(),
  /** The text is longer than `MAX_DOCUMENT_CHARACTERS`; the rest is not searched. */
  is_cut: z.boolean(),
  is_deleted: z.boolean(),
  created_at: Instant,
})
export type Document = z.infer<typeof Document>
export const DocumentWithText = z.extend(Document, {
  preview: z.string(),
})
export const Documents = z.object({
  items: z.array(Document),
  page: z.int(),
  pages: z.int(),
  total: z.int(),
})
export const DocumentFiles = z.object({ files: z.array(Document) })
export const UploadTask = z.object({
  task_id: z.string(),
  file_id: z.string(),
  name: z.string(),
  status: TaskStatus,
  problem: z.nullable(z.string()),
  can_retry: z.boolean(),
  created_at: Instant,
  finished_at: z.nullable(Instant),
})
export type UploadTask = z.infer<typeof UploadTask>
export const UploadTasks = z.object({
  items: z.array(UploadTask),
  page: z.int(),
  pages: z.int(),
  total: z.int(),
})
export const TextUploadRequest = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200), visibleName),
  text: z.string().check(z.minLength(1), z.maxLength(500_000)),
  /** Null: searched in all projects. */
  project_trellis_code: z.optional(Code),
})
export type TextUploadRequest = z.infer<typeof TextUploadRequest>
