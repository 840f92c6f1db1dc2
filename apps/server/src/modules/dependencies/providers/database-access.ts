import { readSchemaAccess } from '../../database-admin/schema-access.service.ts'
import type { DependencyProvider } from '../provider.ts'

export const databaseAccess: DependencyProvider = {
  async listUsers(ctx, { integrationCode, schemas }) {
    const { roles, logins } = await readSchemaAccess(ctx, integrationCode, schemas)
    const rest = { schema_name: null, effect: 'kept', code: null } as const
    return [
      ...roles.map((name) => ({ kind: 'role' as const, name, detail: 'Has rights in the schema', ...rest })),
      ...logins.map((name) => ({ kind: 'login' as const, name, detail: 'Signs in from outside', ...rest })),
    ]
  },
}
