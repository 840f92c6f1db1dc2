import type { TestApp } from '../../../testing/test-app.ts'
import { type CheckRun, handleValidate } from '../validate.handler.ts'

export async function runChecks(app: TestApp, run: Partial<CheckRun> = {}): Promise<void> {
  const rows = await app.database.db
    .selectFrom('integrations')
    .select(['id', 'validation_number'])
    .where('validation', '=', 'VALIDATING')
    .execute()
  for (const { id, validation_number } of rows) {
    const check = { integration_id: id, number: validation_number }
    await handleValidate(app.ctx, check, { signal: new AbortController().signal, isLastAttempt: true, ...run })
  }
}
