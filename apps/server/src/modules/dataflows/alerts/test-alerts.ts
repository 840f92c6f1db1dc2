import type { AlertTest, Alerts } from '@trellis/contract/dataflows/dataflows.schemas'
import type { Db } from '@trellis/control-db/database'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { queueMail } from '../../../platform/mail/queue-mail.ts'
import { dataflowAlertMail } from '../../../platform/mail/templates/dataflow-alert.ts'
import { consumeLimit } from '../../../platform/rate-limit.ts'
import { getDataflowRow } from '../dataflows.service.ts'
import { buildFlowUrl, formatSubject } from './alert-words.ts'
import { NOT_MAILED, canSendMail } from './mail-budget.ts'
import { callWebhook, deriveSignatureKey } from './webhook.ts'

const TEST_MESSAGE = 'This is a test. When something happens that was asked for, a message like this one comes.'
const TESTS_PER_PERIOD = [5, 600] as const

export async function testAlerts(ctx: WorkspaceCtx, code: string): Promise<z.infer<typeof AlertTest>> {
  const dataflow = await getDataflowRow(ctx, code)
  const { config } = ctx.ports
  if (config.hasRateLimits) {
    await consumeLimit(ctx.db as unknown as Db, `alert-test|${ctx.account.id}|${dataflow.id}`, TESTS_PER_PERIOD)
  }
  const { emails, webhook_url } = dataflow.alerts as Alerts
  const keyNumber = dataflow.webhook_key_number
  const address = {
    account_code: ctx.account.code,
    workspace_address: ctx.workspace.address,
    dataflow_code: dataflow.trellis_code,
  }
  const url = buildFlowUrl(config.publicUrl, address)
  const subject = formatSubject('test', { dataflow_name: dataflow.name, block_name: '' })
  const mail = dataflowAlertMail({ subject, sentences: [TEST_MESSAGE], url, publicUrl: config.publicUrl })
  const results: z.infer<typeof AlertTest>['results'] = []
  for (const to of new Set(emails)) {
    const did_succeed = await canSendMail(ctx, ctx.account.id)
    if (did_succeed) await queueMail(ctx, { to, mail })
    results.push({ to, did_succeed, message: did_succeed ? 'The mail is on its way.' : NOT_MAILED })
  }
  if (webhook_url === null) return { results }
  const problem = await callWebhook(
    ctx,
    { url: webhook_url, keyNumber },
    {
      type: 'test',
      sent_at: ctx.clock.now().toISOString(),
      message: TEST_MESSAGE,
      url,
      dataflow: { trellis_code: dataflow.trellis_code, name: dataflow.name },
      task_block: null,
      flow_run: null,
      task_run: null,
    },
  )
  results.push({ to: webhook_url, did_succeed: problem === null, message: problem ?? 'It was taken.' })
  if (keyNumber > 0) return { results }
  return { results, signature_key: deriveSignatureKey(ctx, { dataflowCode: dataflow.trellis_code, keyNumber }) }
}
