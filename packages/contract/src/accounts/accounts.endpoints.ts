import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { AccountParams, Done } from '../core/shapes.ts'
import {
  Account,
  AccountCreate,
  AccountFlags,
  AccountPatch,
  DeletedThing,
  DeletedThingParams,
  OwnershipTransfer,
  TemporaryAccount,
  TemporaryAccountCreate,
} from './accounts.schemas.ts'

const feature = 'accounts'
const params = AccountParams

export const listAccounts = defineEndpoint({
  id: 'listAccounts',
  feature,
  permission: 'profile:self',
  method: 'GET',
  path: '/account',
  summary: 'My accounts, each with the workspaces I may enter',
  response: z.array(Account),
})

export const getAccount = defineEndpoint({
  id: 'getAccount',
  feature,
  permission: 'account:read',
  method: 'GET',
  path: '/account/:account_trellis_code',
  summary: 'One account with the workspaces I may enter',
  params,
  response: Account,
  errors: ['not_found'],
})

export const createTemporaryAccount = defineEndpoint({
  id: 'createTemporaryAccount',
  feature,
  permission: 'profile:self',
  method: 'POST',
  path: '/account/temporary',
  summary: 'Name a new account; a plan is chosen next',
  body: TemporaryAccountCreate,
  response: TemporaryAccount,
  creates: true,
})

export const createAccount = defineEndpoint({
  id: 'createAccount',
  feature,
  permission: 'profile:self',
  method: 'POST',
  path: '/account',
  summary: 'Make the account once the payment provider confirms that its plan is paid',
  body: AccountCreate,
  response: Account,
  creates: true,
  errors: ['not_found', 'plan_not_paid'],
})

export const updateAccount = defineEndpoint({
  id: 'updateAccount',
  feature,
  permission: 'account:update',
  method: 'PATCH',
  path: '/:account_trellis_code',
  summary: 'Rename the account',
  params,
  body: AccountPatch,
  response: Account,
})

export const deleteAccount = defineEndpoint({
  id: 'deleteAccount',
  feature,
  permission: 'account:delete',
  method: 'DELETE',
  path: '/:account_trellis_code',
  summary: 'Delete the account with its workspaces; can be undone for 7 days',
  params,
  response: Done,
})

export const getAccountFlags = defineEndpoint({
  id: 'getAccountFlags',
  feature,
  permission: 'account:read',
  method: 'GET',
  path: '/:account_trellis_code/flags',
  summary: 'What this account allows right now',
  params,
  response: AccountFlags,
})

export const transferOwnership = defineEndpoint({
  id: 'transferOwnership',
  feature,
  permission: 'account:delete',
  method: 'POST',
  path: '/:account_trellis_code/transfer-ownership',
  summary: 'Hand the ownership on to another member',
  params,
  body: OwnershipTransfer,
  response: Done,
  errors: ['not_found'],
  worksWhenPlanIsOver: true,
})

export const listDeleted = defineEndpoint({
  id: 'listDeleted',
  feature,
  permission: 'profile:self',
  method: 'GET',
  path: '/account/deleted',
  summary: 'My accounts and workspaces that were deleted and can be brought back',
  response: z.array(DeletedThing),
})

export const restoreDeleted = defineEndpoint({
  id: 'restoreDeleted',
  feature,
  permission: 'profile:self',
  method: 'POST',
  path: '/account/deleted/:kind/:trellis_code/restore',
  summary: 'Bring a deleted account or workspace back',
  params: DeletedThingParams,
  response: Done,
  errors: ['not_found', 'limit_reached', 'address_taken'],
})

export const accountsEndpoints = [
  listAccounts,
  getAccount,
  createTemporaryAccount,
  createAccount,
  updateAccount,
  deleteAccount,
  getAccountFlags,
  transferOwnership,
  listDeleted,
  restoreDeleted,
]
