import { defineEndpoint } from '../core/endpoint.ts'
import * as schemas from './row-edits.schemas.ts'

const feature = 'explorer'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/database-manager/schema/table'
const table = ':integration_trellis_code/:schema_name/:table_name'
const errors = ['not_found', 'conflict', 'statement_failed', 'statement_timeout', 'unavailable'] as const

export const getRowEditing = defineEndpoint({
  id: 'getRowEditing',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/row-edits/${table}`,
  summary: 'Whether I may change rows of a table, and how its columns are written',
  params: schemas.RowEditsParams,
  response: schemas.RowEditing,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})
export const previewRowEdits = defineEndpoint({
  id: 'previewRowEdits',
  feature,
  permission: 'explorer:write',
  method: 'POST',
  path: `${base}/row-edits/preview/${table}`,
  summary: 'The SQL that changes of rows would run',
  params: schemas.RowEditsParams,
  body: schemas.RowEdits,
  response: schemas.RowEditsPreview,
  quiet: true,
  maxBodyBytes: schemas.MAX_EDIT_BYTES,
  errors: [...errors, 'body_too_large'],
})
export const applyRowEdits = defineEndpoint({
  id: 'applyRowEdits',
  feature,
  permission: 'explorer:write',
  method: 'POST',
  path: `${base}/row-edits/apply/${table}`,
  summary: 'Change rows in one transaction; nothing is changed when somebody else changed one of them meanwhile',
  params: schemas.RowEditsParams,
  body: schemas.RowEdits,
  response: schemas.RowEditsResult,
  creates: true,
  maxBodyBytes: schemas.MAX_EDIT_BYTES,
  errors: [...errors, 'body_too_large'],
})
export const undoRowEdits = defineEndpoint({
  id: 'undoRowEdits',
  feature,
  permission: 'explorer:write',
  method: 'POST',
  path: `${base}/row-edits/undo/${table}`,
  summary: 'Take back a change of rows that I made, with the same checks',
  params: schemas.RowEditsParams,
  body: schemas.UndoRowEdits,
  response: schemas.RowEditsResult,
  errors,
})

export const rowEditsEndpoints = [getRowEditing, previewRowEdits, applyRowEdits, undoRowEdits]
