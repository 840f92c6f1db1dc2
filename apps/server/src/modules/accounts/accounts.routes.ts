import * as calls from '@trellis/contract/accounts/accounts.endpoints'
import { handle } from '../../http/handle.ts'
import { transferOwnership } from '../members/members.service.ts'
import { getAccountFlags } from './account-flags.ts'
import { createTemporaryAccount, getOwnAccount, listOwnAccounts, updateAccount } from './accounts.service.ts'
import { createAccount } from './create-account.ts'
import { deleteAccount, listDeleted, restoreDeleted } from './deleted-things.ts'

export const accountsRoutes = [
  handle(calls.listAccounts, (_, ctx) => listOwnAccounts(ctx)),
  handle(calls.getAccount, (_, ctx) => getOwnAccount(ctx)),
  handle(calls.createTemporaryAccount, ({ body }, ctx) => createTemporaryAccount(ctx, body)),
  handle(calls.createAccount, ({ body }, ctx) => createAccount(ctx, body)),
  handle(calls.updateAccount, ({ body }, ctx) => updateAccount(ctx, body)),
  handle(calls.deleteAccount, (_, ctx) => deleteAccount(ctx)),
  handle(calls.getAccountFlags, (_, ctx) => getAccountFlags(ctx)),
  handle(calls.transferOwnership, ({ body }, ctx) => transferOwnership(ctx, body.receiving_profile_id)),
  handle(calls.listDeleted, (_, ctx) => listDeleted(ctx)),
  handle(calls.restoreDeleted, ({ params }, ctx) => restoreDeleted(ctx, params)),
]
