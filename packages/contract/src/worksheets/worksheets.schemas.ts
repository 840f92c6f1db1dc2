import * as z from 'zod/mini'
import { namedThing } from '../accounts/names.ts'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { visibleText } from '../core/visible-text.ts'
import { byteLength } from '../explorer/names.ts'
import { FileName } from './file-names.ts'

export const MAX_PROJECTS = 100
export const MAX_FILES = 2000
export const MAX_FILE_BYTES = 1024 * 1024
export const MAX_FOLDER_DEPTH = 8
/** The root folder. */
export const ROOT_FOLDER_ID = 'root'

const Code = z.string().check(z.regex(/^[a-z0-9]{1,40}$/))
const ProjectId = Code
export const FileId = Code
const FolderId = Code
const CommitId = z.string().check(z.regex(/^[0-9a-f]{40}$/))

export const ProjectParams = z.extend(WorkspaceParams, { project_id: ProjectId })
export const FileParams = z.extend(ProjectParams, { file_id: FileId })
export const FileCommitParams = z.extend(FileParams, { commit_id: CommitId })
export const CommitParams = z.extend(ProjectParams, { commit_id: CommitId })
export const DraftVersionParams = z.extend(FileParams, { draft_version_id: z.coerce.number().check(z.int()) })

const ProjectName = namedThing('Project name')
const Description = z
  .string()
  .check(z.trim(), z.maxLength(500, 'Description must be at most 500 characters long'), visibleText)
export const ProjectCreate = z.object({ name: ProjectName, description: z.optional(Description) })
export const ProjectUpdate = z.object({
  project_id: ProjectId,
  name: z.optional(ProjectName),
  description: z.optional(Description),
})

const Person = z.object({ trellis_user_code: z.nullable(z.string()), name: z.string() })

export const Commit = z.object({
  commit_id: z.string(),
  message: z.string(),
  author: Person,
  committed_at: Instant,
})
export type Commit = z.infer<typeof Commit>

export const Project = z.object({
  project_id: z.string(),
  name: z.string(),
  description: z.string(),
  file_count: z.int(),
  /** Unpublished changes on my branch. */
  unpublished_count: z.int(),
  /** Published commits that I have not pulled. */
  behind_count: z.int(),
  conflict_count: z.int(),
  created_at: Instant,
  live_head: Commit,
  clone_url: z.string(),
})
export type Project = z.infer<typeof Project>

/** Since the previous version. A renamed file may be edited as well. */
const CHANGES = ['added', 'edited', 'renamed', 'deleted'] as const
export const FileChangeKind = z.enum(CHANGES)
export type FileChangeKind = z.infer<typeof FileChangeKind>
/** My branch compared with the published version it is based on. */
const DraftState = z.enum(['unchanged', ...CHANGES])
export type DraftState = z.infer<typeof DraftState>

export const Folder = z.object({
  folder_id: z.string(),
  parent_id: z.nullable(z.string()),
  name: z.string(),
  path: z.string(),
})
export type Folder = z.infer<typeof Folder>

export const FileLine = z.object({
  file_id: z.string(),
  folder_id: z.string(),
  name: z.string(),
  path: z.string(),
  change: DraftState,
  has_conflict: z.boolean(),
  updated_at: Instant,
})
export type FileLine = z.infer<typeof FileLine>

const FileTree = z.object({ folders: z.array(Folder), files: z.array(FileLine) })
export const BothTrees = z.object({ live: FileTree, user: FileTree })
export const ProjectFiles = z.extend(Project, { user: FileTree })

export const LiveFile = z.object({
  file_id: z.string(),
  folder_id: z.string(),
  name: z.string(),
  path: z.string(),
  content: z.string(),
  last_commit: Commit,
})
export const UserFile = z.object({
  file_id: z.string(),
  folder_id: z.string(),
  name: z.string(),
  path: z.string(),
  content: z.string(),
  change: DraftState,
  has_conflict: z.boolean(),
  /** Optimistic locking: a save on an older version is refused. */
  version: z.string(),
  updated_at: Instant,
})
export type UserFile = z.infer<typeof UserFile>

/** Postgres cannot store NUL, and lone surrogates would be replaced. */
const isPlainText = (text: string) => !text.includes('\0') && !/\p{Cs}/u.test(text)

const FileContent = z.string().check(
  z.refine((text) => byteLength(text) <= MAX_FILE_BYTES, {
    error: 'A file may have at most 1 MB. Split it into several.',
    abort: true,
  }),
  z.refine((text) => isPlainText(text), 'A file may hold text only'),
)

export const FileCreate = z.object({
  project_id: ProjectId,
  folder_id: z._default(FolderId, ROOT_FOLDER_ID),
  name: FileName,
  content: z._default(FileContent, ''),
})
export const FileUpdate = z.object({
  project_id: ProjectId,
  file_id: FileId,
  /** Required with `content`. */
  version: z.optional(z.string().check(z.maxLength(40))),
  content: z.optional(FileContent),
  name: z.optional(FileName),
  folder_id: z.optional(FolderId),
})
export const FileRef = z.object({ project_id: ProjectId, file_id: FileId })

export const FolderCreate = z.object({
  project_id: ProjectId,
  parent_id: z._default(FolderId, ROOT_FOLDER_ID),
  name: FileName,
})
export const FolderUpdate = z.object({
  project_id: ProjectId,
  folder_id: FolderId,
  name: z.optional(FileName),
  parent_id: z.optional(FolderId),
})
export const FolderRef = z.object({ project_id: ProjectId, folder_id: FolderId })

export const UnpublishedChange = z.object({
  project_id: z.string(),
  file_id: z.string(),
  path: z.string(),
  previous_path: z.nullable(z.string()),
  change: FileChangeKind,
  has_conflict: z.boolean(),
  /** Null when the change is too large to count. */
  added_lines: z.nullable(z.int()),
  deleted_lines: z.nullable(z.int()),
  updated_at: Instant,
})
export type UnpublishedChange = z.infer<typeof UnpublishedChange>

export const UserBranch = z.object({
  project_id: z.string(),
  name: z.string(),
  base: Commit,
  behind_count: z.int(),
  conflict_count: z.int(),
  can_push: z.boolean(),
  changes: z.array(UnpublishedChange),
})
export type UserBranch = z.infer<typeof UserBranch>

const Side = z.nullable(z.object({ path: z.string(), content: z.string() }))
/** Null on the side where the file does not exist. */
export const Conflict = z.object({
  file_id: z.string(),
  path: z.string(),
  base: Side,
  mine: Side,
  theirs: Side,
  /** Merged text with conflict markers, when both sides exist. */
  merged: z.nullable(z.string()),
})
export type Conflict = z.infer<typeof Conflict>
export const ConflictResolve = z.object({
  project_id: ProjectId,
  file_id: FileId,
  keep: z.enum(['mine', 'theirs', 'merged']),
  /** The resolution of a `merged` conflict. */
  content: z.optional(FileContent),
})

export const ProjectRef = z.object({ project_id: ProjectId })
export const PullResult = z.object({
  branch: UserBranch,
  /** Files updated from the published branch. */
  updated_count: z.int(),
  moved: z.array(z.object({ file_id: z.string(), from: z.string(), to: z.string() })),
})
const CommitMessage = z
  .string({ error: 'Field required' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'Field required', abort: true }),
    z.maxLength(2000, 'Message must be at most 2,000 characters long'),
    visibleText,
  )
export const Push = z.object({
  project_id: ProjectId,
  message: CommitMessage,
  /** All changes when omitted. */
  file_ids: z.optional(z.array(FileId).check(z.minLength(1), z.maxLength(MAX_FILES))),
})
/** Effect of a push on a block that runs one of the worksheets. */
export const BlockUpdate = z.object({
  task_block_trellis_code: z.string(),
  name: z.string(),
  dataflow_trellis_code: z.string(),
  dataflow_name: z.string(),
  file_id: z.string(),
  path: z.string(),
  /** Publishes the new version, changes the draft only, or keeps the old version. */
  update: z.enum(['published', 'draft', 'kept']),
  reason: z.nullable(z.string()),
})
export type BlockUpdate = z.infer<typeof BlockUpdate>
export const PushResult = z.object({ commit: Commit, branch: UserBranch, blocks: z.array(BlockUpdate) })

export const HISTORY_PAGE = 50
export const HistoryQuery = z.object({ before: z.optional(CommitId) })
const FileChange = z.object({
  file_id: z.string(),
  path: z.string(),
  previous_path: z.nullable(z.string()),
  change: FileChangeKind,
})
export const FileHistory = z.object({
  items: z.array(z.extend(FileChange, { commit: Commit })),
  next_before: z.nullable(z.string()),
})
export const ProjectHistory = z.object({ items: z.array(Commit), next_before: z.nullable(z.string()) })
export const CommitDetails = z.extend(Commit, { changes: z.array(FileChange) })
export const FileDiff = z.extend(FileChange, { before: z.nullable(z.string()), after: z.nullable(z.string()) })
export const LiveHead = z.object({
  project_id: z.string(),
  commit: Commit,
  behind_count: z.int(),
})

/** Exactly one: a published version or a stored draft. */
export const FileRestore = z.object({
  project_id: ProjectId,
  file_id: FileId,
  commit_id: z.optional(CommitId),
  draft_version_id: z.optional(z.int()),
})
export const DRAFT_VERSION_REASONS = [
  'other_tab',
  'pulled',
  'resolved',
  'restored',
  'discarded',
  'deleted',
  'saved',
] as const
/** A draft text that was overwritten. */
export const DraftVersion = z.object({
  draft_version_id: z.int(),
  path: z.string(),
  reason: z.enum(DRAFT_VERSION_REASONS),
  size_bytes: z.int(),
  saved_at: Instant,
})
export type DraftVersion = z.infer<typeof DraftVersion>
export const DraftVersionContent = z.extend(DraftVersion, { content: z.string() })

/** `restoreFile` takes either id. */
export const DeletedFile = z.object({
  file_id: z.string(),
  path: z.string(),
  commit_id: z.nullable(z.string()),
  draft_version_id: z.nullable(z.int()),
  deleted_at: Instant,
})
export type DeletedFile = z.infer<typeof DeletedFile>

export const SearchQuery = z.object({
  search: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
})
export const SearchHit = z.object({
  project_id: z.string(),
  project_name: z.string(),
  file_id: z.string(),
  folder_id: z.string(),
  name: z.string(),
  path: z.string(),
  line: z.nullable(z.object({ number: z.int(), text: z.string() })),
})
