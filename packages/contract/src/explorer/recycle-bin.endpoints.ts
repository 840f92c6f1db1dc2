import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './recycle-bin.schemas.ts'

const feature = 'explorer'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/database-manager/recycle-bin'

export const listDeletions = defineEndpoint({
  id: 'listDeletions',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: base,
  summary: 'Tables and schemas that were deleted and can be restored',
  params: WorkspaceParams,
  response: schemas.RecycleBin,
})
export const restoreDeletion = defineEndpoint({
  id: 'restoreDeletion',
  feature,
  permission: 'explorer:write',
  method: 'POST',
  path: `${base}/:deletion_code/restore`,
  summary: 'Restore a deleted table or schema with all that went along',
  params: schemas.DeletionParams,
  body: schemas.Restore,
  response: schemas.Restored,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const purgeDeletion = defineEndpoint({
  id: 'purgeDeletion',
  feature,
  permission: 'explorer:write',
  method: 'DELETE',
  path: `${base}/:deletion_code`,
  summary: 'Delete a table or schema for good',
  params: schemas.DeletionParams,
  response: Done,
  errors: ['not_found', 'conflict', 'unavailable'],
})

export const recycleBinEndpoints = [listDeletions, restoreDeletion, purgeDeletion]
