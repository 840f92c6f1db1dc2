import * as calls from '@trellis/contract/workspaces/workspaces.endpoints'
import { handle } from '../../http/handle.ts'
import { getOwnContext } from './workspaces.service.ts'

export const workspacesRoutes = [handle(calls.getProfileContext, (_, ctx) => getOwnContext(ctx))]
