import { listSparksReading } from '../../sparks/sparks.service.ts'
import type { DependencyProvider } from '../provider.ts'

export const sparks: DependencyProvider = {
  async listUsers(ctx, target) {
    return (await listSparksReading(ctx, target)).map(({ code, name, projectName, reads }) => ({
      kind: 'spark',
      schema_name: null,
      name: `${name} (${projectName})`,
      detail: `Reads ${reads.map((table) => table.name).join(', ')} and shows its last rows until it is back`,
      effect: 'stops',
      code,
    }))
  },
}
