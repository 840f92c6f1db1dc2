import type { Permission } from '@trellis/contract/core/permissions'
import type { WorkspaceCtx } from '../../platform/ctx.ts'

/** Something an outside agent may call with its owner's rights. */
export interface AgentTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of each argument. */
  readonly arguments: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  readonly permission: Permission
  /** Needs a token that may write. */
  readonly isWrite: boolean
  run(ctx: WorkspaceCtx, input: Readonly<Record<string, unknown>>): Promise<unknown>
}

export const getText = (input: Readonly<Record<string, unknown>>, name: string): string => {
  const value = input[name]
  return typeof value === 'string' ? value.trim() : ''
}
