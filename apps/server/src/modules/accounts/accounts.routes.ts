import * as calls from '@trellis/contract/accounts/accounts.endpoints'
import { handle } from '../../http/handle.ts'
import { getOwnAccount, listOwnAccounts } from './accounts.service.ts'

export const accountsRoutes = [
  handle(calls.listAccounts, (_, ctx) => listOwnAccounts(ctx)),
  handle(calls.getAccount, (_, ctx) => getOwnAccount(ctx)),
]
