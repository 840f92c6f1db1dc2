import {
  listMetricsReading,
  listProjectsReading,
  listVerifiedReading,
} from '../../ai/verified/verified-usage.service.ts'
import type { DependencyProvider } from '../provider.ts'

export const ai: DependencyProvider = {
  async listUsers(ctx, target) {
    const projects = await listProjectsReading(ctx, target)
    const questions = await listVerifiedReading(ctx, target)
    const metrics = await listMetricsReading(ctx, target)
    const rest = { schema_name: null, code: null }
    return [
      ...projects.map(({ name, reads }) => ({
        kind: 'ai_project' as const,
        name,
        detail: `Answers questions from ${reads.join(', ')}`,
        effect: 'kept' as const,
        ...rest,
      })),
      ...questions.map(({ name, projectName, reads }) => ({
        kind: 'verified_question' as const,
        name: `${name} (${projectName})`,
        detail: `Reads ${reads.map((table) => table.name).join(', ')} and is not used until it is back`,
        effect: 'stops' as const,
        ...rest,
      })),
      ...metrics.map(({ name, projectName, reads }) => ({
        kind: 'metric' as const,
        name: `${name} (${projectName})`,
        detail: `Computed from ${reads.map((table) => table.name).join(', ')} and is not used until it is back`,
        effect: 'stops' as const,
        ...rest,
      })),
    ]
  },
}
