import { listLabelsOn, listRunningExports } from '../../explorer/remembered-tables.service.ts'
import type { DependencyProvider } from '../provider.ts'

export const explorer: DependencyProvider = {
  async listUsers(ctx, target) {
    const labels = await listLabelsOn(ctx, target)
    const exports = await listRunningExports(ctx, target)
    const rest = { schema_name: null, code: null }
    return [
      ...labels.map(({ name, tables }) => ({
        kind: 'label' as const,
        name,
        detail: `On ${tables.join(', ')}`,
        effect: 'kept' as const,
        ...rest,
      })),
      ...exports.map((name) => ({
        kind: 'export' as const,
        name,
        detail: 'Is being written',
        effect: 'stops' as const,
        ...rest,
      })),
    ]
  },
}
