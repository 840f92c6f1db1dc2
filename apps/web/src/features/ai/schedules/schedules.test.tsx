import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createAi } from '../../../testing/ai/fake-ai.ts'
import { fakeScheduledQuestion } from '../../../testing/ai/fake-scheduled-questions-handlers.ts'
import { giveSize } from '../../../testing/give-size.ts'
import { openApp } from '../../../testing/render-app.tsx'

giveSize()

const AI = '/northwind/growth/ai'
const QUESTION = 'total amount by status'

test('a question is scheduled from its answer and listed among the jobs', async () => {
  const { user, world, router } = openApp(`${AI}/chats/chat1`)
  await user.click(await screen.findByRole('button', { name: 'Schedule this question…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Schedule this question' }))
  expect(dialog.getByLabelText<HTMLTextAreaElement>('Question to ask').value).toBe('total amount by status please')
  await user.selectOptions(dialog.getByLabelText('Schedule'), 'Every day')
  expect(dialog.queryByLabelText('Day')).toBeNull()
  await user.selectOptions(dialog.getByLabelText('Run at'), '06:00')
  await user.selectOptions(dialog.getByLabelText('Timezone'), 'America/Denver')
  await user.click(dialog.getByLabelText(/^Only mail when the answer changed/))
  await user.click(dialog.getByRole('button', { name: 'Schedule question' }))
  expect(await screen.findByText('Question scheduled. The answers come by mail.')).toBeTruthy()
  expect(world.ai.scheduled).toMatchObject([
    { project_trellis_code: 'sales', question: 'total amount by status please', only_if_changed: true },
  ])
  await router.navigate(`${AI}/jobs`)
  const list = await screen.findByRole('list', { name: 'Scheduled questions' })
  expect(within(list).getByText(/Every day at 06:00 \(America\/Denver\) · only when the answer changed/)).toBeTruthy()
  expect(within(list).getByText('Not asked yet')).toBeTruthy()
})

test('a scheduled question is asked now, paused and deleted', async () => {
  const { user, world } = openApp(`${AI}/jobs`, { ai: createAi({ scheduled: [fakeScheduledQuestion()] }) })
  const pick = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: `Actions for ${QUESTION}` }))
    await user.click(await screen.findByRole('menuitem', { name }))
  }
  await pick('Run now')
  expect(await screen.findByText('Mailed')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Show answers' }).getAttribute('href')).toBe(`${AI}/chats/chat1`)
  await pick('Pause')
  expect(await screen.findByText(/paused/)).toBeTruthy()
  await pick('Resume')
  expect(await screen.findByText(/next run/)).toBeTruthy()
  await pick('Delete')
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(world.ai.scheduled).toEqual([]))
  expect(await screen.findByRole('heading', { name: 'No jobs yet' })).toBeTruthy()
})

test('a scheduled question is edited', async () => {
  const { user, world } = openApp(`${AI}/jobs`, { ai: createAi({ scheduled: [fakeScheduledQuestion()] }) })
  await user.click(await screen.findByRole('button', { name: `Actions for ${QUESTION}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit scheduled question' }))
  expect(dialog.getByLabelText<HTMLSelectElement>('Day').value).toBe('monday')
  const field = dialog.getByLabelText('Question to ask')
  await user.clear(field)
  await user.type(field, 'total amount by month')
  await user.selectOptions(dialog.getByLabelText('Day'), 'Friday')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/Every Friday at 08:00/)).toBeTruthy()
  expect(world.ai.scheduled).toMatchObject([{ question: 'total amount by month', only_if_changed: false }])
})

test('a schedule that the form has no fields for is kept', async () => {
  const schedule = {
    scheduleType: 'Cron Schedule' as const,
    scheduleArgs: { cronExpression: '0 8 1 * *', timeStandard: 'UTC' as const },
  }
  const { user, world } = openApp(`${AI}/jobs`, { ai: createAi({ scheduled: [fakeScheduledQuestion({ schedule })] }) })
  await user.click(await screen.findByRole('button', { name: `Actions for ${QUESTION}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit scheduled question' }))
  await user.click(dialog.getByLabelText(/^Only mail when the answer changed/))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(world.ai.scheduled).toMatchObject([{ schedule, only_if_changed: true }]))
})

test('a question that failed says why', async () => {
  const failed = fakeScheduledQuestion({ last_outcome: 'failed', last_problem: 'The table shop.orders is gone.' })
  openApp(`${AI}/jobs`, { ai: createAi({ scheduled: [failed] }) })
  expect(await screen.findByText('Failed')).toBeTruthy()
  expect(screen.getByText('The table shop.orders is gone.')).toBeTruthy()
})
