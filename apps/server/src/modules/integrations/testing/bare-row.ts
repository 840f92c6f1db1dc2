import type { StoredIntegration } from '../stored-integration.ts'

/** A connection that is kept nowhere. */
export const bareRow = (platformCode: string): StoredIntegration => ({
  id: 0,
  account_id: 0,
  workspace_id: 0,
  trellis_code: 'bare',
  platform_code: platformCode,
  name: 'Bare',
  description: '',
  state: 'SETUP',
  is_simulated: false,
  settings: {},
  secrets: null,
  secrets_set: [],
  version: 1,
  validation_number: 0,
  validation: null,
  validation_started_at: null,
  validation_finished_at: null,
  problem: null,
  found: [],
  created_by: null,
  created_at: new Date(),
  updated_at: new Date(),
  is_managed: false,
})
