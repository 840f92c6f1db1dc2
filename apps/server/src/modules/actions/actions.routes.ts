import * as calls from '@trellis/contract/actions/actions.endpoints'
import { type Route, handle } from '../../http/handle.ts'
import {
  decideActionItem,
  getAction,
  getActionItem,
  listActionItems,
  listActionResources,
  listActions,
  proposeAction,
} from './actions.service.ts'

export const actionsRoutes: readonly Route[] = [
  handle(calls.listActions, (_, ctx) => listActions(ctx)),
  handle(calls.listActionResources, ({ query }, ctx) => listActionResources(ctx, query)),
  handle(calls.listActionItems, ({ query }, ctx) => listActionItems(ctx, query)),
  handle(calls.createActionItem, ({ body }, ctx) => proposeAction(ctx, body)),
  handle(calls.getActionItem, ({ params }, ctx) => getActionItem(ctx, params.action_id)),
  handle(calls.decideActionItem, ({ params, body }, ctx) => decideActionItem(ctx, params.action_id, body.decision)),
  handle(calls.getAction, ({ params, query }, ctx) => getAction(ctx, params.action_type, query)),
]
