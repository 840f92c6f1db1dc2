import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { WorkspaceParams } from '../core/shapes.ts'

export const SANDBOX_SCHEMA = 'sandbox'

export const Sandbox = z.object({
  integration_trellis_code: z.string(),
  schema_name: z.string(),
  is_ready: z.boolean(),
  tables: z.array(
    z.object({ table_name: z.string(), kind: z.enum(['table', 'view']), rows_estimate: z.nullable(z.int()) }),
  ),
})
export type Sandbox = z.infer<typeof Sandbox>

const path = '/:account_trellis_code/:workspace_address/sandbox'

export const getSandbox = defineEndpoint({
  id: 'getSandbox',
  feature: 'sandbox',
  permission: 'explorer:read',
  method: 'GET',
  path,
  summary: 'The schema to try things in, and what is in it',
  params: WorkspaceParams,
  response: Sandbox,
})
export const resetSandbox = defineEndpoint({
  id: 'resetSandbox',
  feature: 'sandbox',
  permission: 'explorer:write',
  method: 'POST',
  path: `${path}/reset`,
  summary: 'Fill the sandbox with fresh sample data; what was in it goes to the recycle bin',
  params: WorkspaceParams,
  response: Sandbox,
  errors: ['conflict'],
})

export const sandboxEndpoints = [getSandbox, resetSandbox]
