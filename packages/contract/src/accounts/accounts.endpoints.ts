import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { AccountParams } from '../core/shapes.ts'
import { Account } from './accounts.schemas.ts'

const feature = 'accounts'

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
  params: AccountParams,
  response: Account,
  errors: ['not_found'],
})

export const accountsEndpoints = [listAccounts, getAccount]
