import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './worksheets.schemas.ts'

const feature = 'worksheets'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/project-manager'
const live = `${base}/live_branch_head`
const project = `${base}/project/:project_id`
const read = { feature, permission: 'worksheets:read', method: 'GET', errors: ['not_found'] } as const

export const getUserBranch = defineEndpoint({
  ...read,
  id: 'getUserBranch',
  path: `${project}/user_branch`,
  summary: 'My branch: what it is based on and what it changes',
  params: schemas.ProjectParams,
  response: schemas.UserBranch,
})
export const getLiveFile = defineEndpoint({
  ...read,
  id: 'getLiveFile',
  path: `${project}/live_file/:file_id`,
  summary: 'A file as it is published',
  params: schemas.FileParams,
  response: schemas.LiveFile,
})
export const getUserFile = defineEndpoint({
  ...read,
  id: 'getUserFile',
  path: `${project}/user_file/:file_id`,
  summary: 'A file as it is on my branch',
  params: schemas.FileParams,
  response: schemas.UserFile,
})
export const getUserFileDiff = defineEndpoint({
  ...read,
  id: 'getUserFileDiff',
  path: `${project}/user_file/:file_id/diff`,
  summary: 'What I changed in a file',
  params: schemas.FileParams,
  response: schemas.FileDiff,
})
export const listDraftVersions = defineEndpoint({
  ...read,
  id: 'listDraftVersions',
  path: `${project}/user_file/:file_id/versions`,
  summary: 'Texts of mine in this file that something else took the place of',
  params: schemas.FileParams,
  response: z.array(schemas.DraftVersion),
})
export const getDraftVersion = defineEndpoint({
  ...read,
  id: 'getDraftVersion',
  path: `${project}/user_file/:file_id/versions/:draft_version_id`,
  summary: 'One of them',
  params: schemas.DraftVersionParams,
  response: schemas.DraftVersionContent,
})
export const listDeletedFiles = defineEndpoint({
  ...read,
  id: 'listDeletedFiles',
  path: `${project}/deleted_files`,
  summary: 'Files that were deleted and can be restored',
  params: schemas.ProjectParams,
  response: z.array(schemas.DeletedFile),
})
export const listConflicts = defineEndpoint({
  ...read,
  id: 'listConflicts',
  path: `${project}/conflicts`,
  summary: 'Files where the last pull could not bring both changes together',
  params: schemas.ProjectParams,
  response: z.array(schemas.Conflict),
})
export const resolveConflict = defineEndpoint({
  feature,
  permission: 'worksheets:draft',
  method: 'POST',
  id: 'resolveConflict',
  path: `${base}/project/conflicts/resolve`,
  summary: 'Say which side of a conflict holds; the other is kept',
  params: WorkspaceParams,
  body: schemas.ConflictResolve,
  response: schemas.UserBranch,
  quiet: true,
  maxBodyBytes: 6 * schemas.MAX_FILE_BYTES + 4096,
  errors: ['not_found', 'conflict', 'body_too_large'],
})
export const getLiveHead = defineEndpoint({
  ...read,
  id: 'getLiveHead',
  path: `${live}/:project_id`,
  summary: 'The latest commit of the live branch',
  params: schemas.ProjectParams,
  response: schemas.LiveHead,
})
export const listProjectHistory = defineEndpoint({
  ...read,
  id: 'listProjectHistory',
  path: `${live}/:project_id/history`,
  summary: 'Commits of the live branch, newest first',
  params: schemas.ProjectParams,
  query: schemas.HistoryQuery,
  response: schemas.ProjectHistory,
})
export const getCommit = defineEndpoint({
  ...read,
  id: 'getCommit',
  path: `${live}/:project_id/commit/:commit_id`,
  summary: 'A commit of the live branch with the files it changed',
  params: schemas.CommitParams,
  response: schemas.CommitDetails,
})
export const listFileHistory = defineEndpoint({
  ...read,
  id: 'listFileHistory',
  path: `${live}/:project_id/live_file/:file_id/history`,
  summary: 'Published versions of a file, newest first, through renames and moves',
  params: schemas.FileParams,
  query: schemas.HistoryQuery,
  response: schemas.FileHistory,
})
export const getFileDiff = defineEndpoint({
  ...read,
  id: 'getFileDiff',
  path: `${live}/:project_id/live_file/:file_id/history/:commit_id`,
  summary: 'What a commit changed in a file',
  params: schemas.FileCommitParams,
  response: schemas.FileDiff,
})
export const pullLiveBranch = defineEndpoint({
  feature,
  permission: 'worksheets:draft',
  method: 'POST',
  id: 'pullLiveBranch',
  path: `${live}/pull`,
  summary: 'Merge the live branch into mine',
  params: WorkspaceParams,
  body: schemas.ProjectRef,
  response: schemas.PullResult,
  quiet: true,
  errors: ['not_found', 'conflict', 'limit_reached'],
})
export const pushToLiveBranch = defineEndpoint({
  feature,
  permission: 'worksheets:publish',
  method: 'POST',
  id: 'pushToLiveBranch',
  path: `${live}/push`,
  summary: 'Publish my changes; refused when somebody published since my last pull',
  params: WorkspaceParams,
  body: schemas.Push,
  response: schemas.PushResult,
  errors: ['not_found', 'conflict', 'limit_reached'],
})

export const branchesEndpoints = [
  getUserBranch,
  getLiveFile,
  getUserFile,
  getUserFileDiff,
  listDraftVersions,
  getDraftVersion,
  listDeletedFiles,
  listConflicts,
  resolveConflict,
  getLiveHead,
  listProjectHistory,
  getCommit,
  listFileHistory,
  getFileDiff,
  pullLiveBranch,
  pushToLiveBranch,
]
