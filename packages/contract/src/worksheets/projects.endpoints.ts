import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import { EditorSettings, EditorSettingsPatch } from './editor-settings.ts'
import * as schemas from './worksheets.schemas.ts'

const feature = 'worksheets'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/project-manager'
const read = { feature, permission: 'worksheets:read', method: 'GET' } as const
const draft = { feature, permission: 'worksheets:draft', params: WorkspaceParams } as const
/** JSON escapes can make a text six times as large as its file. */
const MAX_BODY_BYTES = 6 * schemas.MAX_FILE_BYTES + 4096

export const createProject = defineEndpoint({
  feature,
  permission: 'worksheets:publish',
  method: 'POST',
  id: 'createProject',
  path: `${base}/projects`,
  summary: 'Create a project',
  params: WorkspaceParams,
  body: schemas.ProjectCreate,
  response: schemas.Project,
  creates: true,
  errors: ['conflict', 'limit_reached'],
})
export const updateProject = defineEndpoint({
  feature,
  permission: 'worksheets:publish',
  method: 'PUT',
  id: 'updateProject',
  path: `${base}/projects`,
  summary: 'Rename or describe a project',
  params: WorkspaceParams,
  body: schemas.ProjectUpdate,
  response: schemas.Project,
  errors: ['not_found', 'conflict'],
})
export const getProject = defineEndpoint({
  ...read,
  id: 'getProject',
  path: `${base}/projects/:project_id`,
  summary: 'One project',
  params: schemas.ProjectParams,
  response: schemas.Project,
  errors: ['not_found'],
})
export const deleteProject = defineEndpoint({
  feature,
  permission: 'worksheets:manage',
  method: 'DELETE',
  id: 'deleteProject',
  path: `${base}/projects/:project_id`,
  summary: 'Delete a project with all its branches',
  params: schemas.ProjectParams,
  response: Done,
  errors: ['not_found'],
})
export const listProjects = defineEndpoint({
  ...read,
  id: 'listProjects',
  path: `${base}/projects-info`,
  summary: 'Projects of this workspace, and where my branch of each stands',
  params: WorkspaceParams,
  response: z.array(schemas.Project),
})
export const listProjectFiles = defineEndpoint({
  ...read,
  id: 'listProjectFiles',
  path: `${base}/projects-files`,
  summary: 'Projects with the folders and files of my branch',
  params: WorkspaceParams,
  response: z.array(schemas.ProjectFiles),
})
export const listUnpublishedChanges = defineEndpoint({
  ...read,
  id: 'listUnpublishedChanges',
  path: `${base}/projects-files/unpublished`,
  summary: 'What I changed in any project and did not publish',
  params: WorkspaceParams,
  response: z.array(schemas.UnpublishedChange),
})
export const searchWorksheets = defineEndpoint({
  ...read,
  id: 'searchWorksheets',
  path: `${base}/search`,
  summary: 'Files of my branches whose name or text has this text',
  params: WorkspaceParams,
  query: schemas.SearchQuery,
  response: z.array(schemas.SearchHit),
})
export const createWorksheet = defineEndpoint({
  ...draft,
  id: 'createWorksheet',
  method: 'POST',
  path: `${base}/project/file`,
  summary: 'Create a file on my branch',
  body: schemas.FileCreate,
  response: schemas.UserFile,
  creates: true,
  quiet: true,
  maxBodyBytes: MAX_BODY_BYTES,
  errors: ['not_found', 'conflict', 'limit_reached', 'body_too_large'],
})
export const updateWorksheet = defineEndpoint({
  ...draft,
  id: 'updateWorksheet',
  method: 'PATCH',
  path: `${base}/project/file`,
  summary:
    'Save the draft of a file, rename or move it; a save on top of an older version is refused and its text kept',
  body: schemas.FileUpdate,
  response: schemas.UserFile,
  quiet: true,
  worksWhenPlanIsOver: true,
  maxBodyBytes: MAX_BODY_BYTES,
  errors: ['not_found', 'conflict', 'body_too_large'],
})
export const deleteWorksheet = defineEndpoint({
  ...draft,
  id: 'deleteWorksheet',
  method: 'DELETE',
  path: `${base}/project/file`,
  summary: 'Delete a file on my branch',
  query: schemas.FileRef,
  response: Done,
  quiet: true,
  errors: ['not_found'],
})
export const restoreWorksheet = defineEndpoint({
  ...draft,
  id: 'restoreWorksheet',
  method: 'POST',
  path: `${base}/project/file/restore`,
  summary: 'Bring an older version back into my branch; what it replaces is kept',
  body: schemas.FileRestore,
  response: schemas.UserFile,
  quiet: true,
  errors: ['not_found', 'conflict'],
})
export const discardChanges = defineEndpoint({
  ...draft,
  id: 'discardChanges',
  method: 'POST',
  path: `${base}/project/file/discard`,
  summary: 'Go back to the published version of a file; what is discarded is kept',
  body: schemas.FileRef,
  response: Done,
  quiet: true,
  errors: ['not_found', 'conflict'],
})
export const createFolder = defineEndpoint({
  ...draft,
  id: 'createFolder',
  method: 'POST',
  path: `${base}/project/folder`,
  summary: 'Create a folder on my branch; it is published with its first file',
  body: schemas.FolderCreate,
  response: schemas.Folder,
  creates: true,
  quiet: true,
  errors: ['not_found', 'conflict', 'limit_reached'],
})
export const updateFolder = defineEndpoint({
  ...draft,
  id: 'updateFolder',
  method: 'PATCH',
  path: `${base}/project/folder`,
  summary: 'Rename or move a folder with everything in it',
  body: schemas.FolderUpdate,
  response: schemas.Folder,
  quiet: true,
  errors: ['not_found', 'conflict'],
})
export const deleteFolder = defineEndpoint({
  ...draft,
  id: 'deleteFolder',
  method: 'DELETE',
  path: `${base}/project/folder`,
  summary: 'Delete a folder with everything in it',
  query: schemas.FolderRef,
  response: Done,
  quiet: true,
  errors: ['not_found'],
})
export const listFolders = defineEndpoint({
  ...read,
  id: 'listFolders',
  path: `${base}/project/:project_id/folders`,
  summary: 'Folders of my branch',
  params: schemas.ProjectParams,
  response: z.array(schemas.Folder),
  errors: ['not_found'],
})
export const getBothTrees = defineEndpoint({
  ...read,
  id: 'getBothTrees',
  path: `${base}/project/:project_id/all_main_and_user_folders_and_files`,
  summary: 'Folders and files of the live branch and of mine',
  params: schemas.ProjectParams,
  response: schemas.BothTrees,
  errors: ['not_found'],
})
export const getEditorSettings = defineEndpoint({
  ...read,
  id: 'getEditorSettings',
  path: `${base}/project/editor_settings`,
  summary: 'How I like the editor',
  params: WorkspaceParams,
  response: EditorSettings,
})
export const updateEditorSettings = defineEndpoint({
  ...draft,
  id: 'updateEditorSettings',
  method: 'PATCH',
  path: `${base}/project/editor_settings`,
  summary: 'Change how I like the editor',
  body: EditorSettingsPatch,
  response: EditorSettings,
  quiet: true,
})

export const projectsEndpoints = [
  createProject,
  updateProject,
  getProject,
  deleteProject,
  listProjects,
  listProjectFiles,
  listUnpublishedChanges,
  searchWorksheets,
  createWorksheet,
  updateWorksheet,
  deleteWorksheet,
  restoreWorksheet,
  discardChanges,
  createFolder,
  updateFolder,
  deleteFolder,
  listFolders,
  getBothTrees,
  getEditorSettings,
  updateEditorSettings,
]
