import type { Permission } from '@trellis/contract/core/permissions'
import type { WorkspaceCtx } from '../../platform/ctx.ts'

export interface AgentTool {
  readonly name: string
  readonly description: string
  readonly arguments: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  readonly permission: Permission
  readonly isWrite: boolean
  run(ctx: WorkspaceCtx, input: Readonly<Record<string, unknown>>): Promise<unknown>
}

export const getText = (input: Readonly<Record<string, unknown>>, name: string): string => {
  const value = input[name]
  return typeof value === 'string' ? value.trim() : ''
}
