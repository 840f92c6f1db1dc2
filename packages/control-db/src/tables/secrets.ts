import type { Stamp } from './identity.ts'

export interface SecretTables {
  data_keys: {
    id: string
    scope: string
    root_key_id: string
    wrapped: Buffer
    created_at: Stamp
    wrapped_at: Stamp
  }
}
