import { defineEndpoint } from '../core/endpoint.ts'
import { WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './dataflows.schemas.ts'

const feature = 'dataflows'
const base = '/:account_trellis_code/:workspace_address/dataflows'
const read = { feature, permission: 'dataflows:read', method: 'GET' } as const
const write = { feature, permission: 'dataflows:write' } as const

export const importDataflow = defineEndpoint({
  ...write,
  id: 'importDataflow',
  method: 'POST',
  path: `${base}/import`,
  summary: 'Make or change a dataflow from YAML, or say what that would change',
  params: WorkspaceParams,
  body: schemas.ImportDataflow,
  response: schemas.ImportOutcome,
  creates: true,
  errors: ['not_found', 'limit_reached', 'conflict'],
})
export const exportDataflow = defineEndpoint({
  ...read,
  id: 'exportDataflow',
  path: `${base}/export/:trellis_code`,
  summary: 'A dataflow as YAML, without secrets',
  params: schemas.CodeParams,
  response: schemas.DataflowYaml,
  errors: ['not_found'],
})

export const dataflowYamlEndpoints = [importDataflow, exportDataflow]
