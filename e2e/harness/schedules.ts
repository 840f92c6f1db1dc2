import type { Page } from '@playwright/test'
import { openControlDb } from '@trellis/control-db/database'
import { expect } from './test.ts'

interface Asking {
  page: Page
  place: string
  headers: () => Promise<{ authorization: string }>
}

async function ask<T>({ page, place, headers }: Asking, path: string, data?: object): Promise<T> {
  const options = { headers: await headers(), ...(data && { data }) }
  const url = `/api/${place}/dataflows/${path}`
  const answer = await (data ? page.request.post(url, options) : page.request.get(url, options))
  expect(answer.ok(), await answer.text()).toBe(true)
  return ((await answer.json()) as { data: T }).data
}

const ONCE_A_YEAR = { cronExpression: '0 6 1 1 ? *', timeStandard: 'UTC' }

/** Scheduled for a date far in the future. */
export async function makeScheduledBlock(asking: Asking): Promise<string> {
  const flow = await ask<{ trellis_code: string }>(asking, '', { name: 'By the clock' })
  const clock = {
    action: 'Schedule',
    order: 0,
    actionValue: { scheduleType: 'Cron Schedule', scheduleArgs: ONCE_A_YEAR },
  }
  const block = await ask<{ task_block_trellis_code: string; version: number }>(
    asking,
    'canvas/task-block/transformation_task_block',
    {
      dataflow_trellis_code: flow.trellis_code,
      name: 'Tidy',
      metadata: { x: 0, y: 0, group_trellis_code: null, note: '' },
      settings: {
        language: 'sql',
        code: 'create table if not exists tidy (id int)',
        trigger: { eventEvaluationType: 'Or', actions: { clock }, isFormaComplete: true },
      },
    },
  )
  const code = block.task_block_trellis_code
  await ask(asking, `canvas/task-block/publish/${code}`, { version: block.version })
  return code
}

export async function comeDue(url: string, blockCode: string): Promise<void> {
  const control = openControlDb({ url, max: 1 })
  await control.pool.query(
    `insert into schedule_ticks (account_id, block_id, block_version, action_id, nominal_at)
     select account_id, id, live_version, 'clock', now() from task_blocks where trellis_code = $1`,
    [blockCode],
  )
  await control.close()
}

export async function lastTick(asking: Asking, blockCode: string): Promise<string> {
  const status = await ask<{ last_tick: { in_words: string; task_run_trellis_code: string | null } | null }>(
    asking,
    `canvas/task-block/trigger-status/${blockCode}`,
  )
  const run = status.last_tick?.task_run_trellis_code
  if (!run) return status.last_tick?.in_words ?? ''
  return (await ask<{ status: string }>(asking, `canvas/task-block/task-runs/${run}`)).status
}
