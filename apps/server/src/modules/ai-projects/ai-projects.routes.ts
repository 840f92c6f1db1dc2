import * as calls from '@trellis/contract/ai/ai-projects.endpoints'
import { handle } from '../../http/handle.ts'
import {
  createAiProject,
  deleteAiProject,
  getAiProject,
  getAiProjectTables,
  listAiProjects,
  updateAiProject,
  updateAiProjectTables,
} from './projects.service.ts'

export const aiProjectsRoutes = [
  handle(calls.createAiProject, ({ body }, ctx) => createAiProject(ctx, body)),
  handle(calls.listAiProjects, ({ query }, ctx) => listAiProjects(ctx, query)),
  handle(calls.getAiProject, ({ params }, ctx) => getAiProject(ctx, params.project_trellis_code)),
  handle(calls.updateAiProject, ({ params, body }, ctx) => updateAiProject(ctx, params.project_trellis_code, body)),
  handle(calls.deleteAiProject, ({ params }, ctx) => deleteAiProject(ctx, params.project_trellis_code)),
  handle(calls.getAiProjectTables, ({ params }, ctx) => getAiProjectTables(ctx, params)),
  handle(calls.updateAiProjectTables, ({ params, body }, ctx) => updateAiProjectTables(ctx, params, body)),
]
