import { type AccountScope, deleteScoped, insertScoped, scoped } from '@trellis/control-db/scoped'

export interface ModelRow {
  readonly protocol: 'anthropic' | 'openai'
  readonly base_url: string
  readonly model: string
  readonly sealed_key: string | null
  readonly can_stream: boolean
  readonly can_use_tools: boolean
  readonly context_tokens: number | null
  readonly checked_at: Date
}

export async function findModelRow(ctx: AccountScope): Promise<ModelRow | undefined> {
  return await scoped(ctx, 'ai_models')
    .select([
      'protocol',
      'base_url',
      'model',
      'sealed_key',
      'can_stream',
      'can_use_tools',
      'context_tokens',
      'checked_at',
    ])
    .executeTakeFirst()
}

export async function saveModelRow(ctx: AccountScope, row: ModelRow): Promise<void> {
  await insertScoped(ctx, 'ai_models', row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
}

export async function deleteModelRow(ctx: AccountScope): Promise<void> {
  await deleteScoped(ctx, 'ai_models').execute()
}
