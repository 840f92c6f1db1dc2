import * as calls from '@trellis/contract/workspaces/workspaces.endpoints'
import { handle } from '../../http/handle.ts'
import {
  createWorkspace,
  deleteWorkspace,
  getOwnContext,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from './workspaces.service.ts'

export const workspacesRoutes = [
  handle(calls.createWorkspace, ({ body }, ctx) => createWorkspace(ctx, body)),
  handle(calls.deleteWorkspace, ({ query }, ctx) => deleteWorkspace(ctx, query.workspace_address)),
  handle(calls.getWorkspace, ({ params, query }, ctx) =>
    getWorkspace(ctx, { id: params.id, address: query.workspace_address }),
  ),
  handle(calls.listWorkspaces, (_, ctx) => listWorkspaces(ctx)),
  handle(calls.updateWorkspace, ({ body }, ctx) => updateWorkspace(ctx, body)),
  handle(calls.getProfileContext, (_, ctx) => getOwnContext(ctx)),
]
