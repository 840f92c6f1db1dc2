import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createAi } from '../../../testing/ai/fake-ai.ts'
import { fakeDocument } from '../../../testing/ai/fake-documents-handlers.ts'
import { openApp } from '../../../testing/render-app.tsx'

const AI = '/northwind/growth/ai'
const PROJECT = `${AI}/projects/sales`

test('a document is uploaded, its status followed until it is read, and deleted', async () => {
  const { user, world } = openApp(PROJECT)
  expect(await screen.findByText(/^No documents yet/)).toBeTruthy()
  await user.upload(
    screen.getByLabelText('Choose documents'),
    new File(['Prices'], 'prices.md', { type: 'text/markdown' }),
  )
  const list = await screen.findByRole('list', { name: 'Documents' })
  expect(await within(list).findByText('In progress')).toBeTruthy()
  expect(await within(list).findByText('Completed', {}, { timeout: 30_000 })).toBeTruthy()
  expect(within(list).getByText(/3 passages/)).toBeTruthy()
  await user.click(within(list).getByRole('button', { name: 'Actions for uploaded.md' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(/^No documents yet/)).toBeTruthy()
  expect(world.ai.documents).toEqual([])
})

test('a document that can not be read says why, here and among the jobs', async () => {
  const problem = 'The PDF is protected by a password.'
  const documents = [fakeDocument('plan.pdf', { status: 'failed', problem, passage_count: 0, page_count: 2 })]
  const { router } = openApp(PROJECT, { ai: createAi({ documents }) })
  expect(await screen.findByText(problem)).toBeTruthy()
  await router.navigate(`${AI}/jobs`)
  const jobs = await screen.findByRole('list', { name: 'Document jobs' })
  expect(within(jobs).getByText('plan.pdf')).toBeTruthy()
  expect(within(jobs).getByText('Failed')).toBeTruthy()
  expect(within(jobs).getByText(problem)).toBeTruthy()
})

test('a file is attached to a chat by the button and by dropping it, and removed', async () => {
  const { user, world } = openApp(`${AI}/chats/chat1`)
  const prices = new File(['Prices'], 'prices.md', { type: 'text/markdown' })
  await user.upload(await screen.findByLabelText('Choose files to attach'), prices)
  const list = await screen.findByRole('list', { name: 'Attached files' })
  expect(await within(list).findByText('Ready', {}, { timeout: 30_000 })).toBeTruthy()
  await user.click(within(list).getByRole('button', { name: 'Remove attached.md' }))
  await waitFor(() => expect(world.ai.documents).toEqual([]))
  fireEvent.drop(screen.getByLabelText('Question'), { dataTransfer: { files: [prices], types: ['Files'] } })
  expect(await screen.findByRole('list', { name: 'Attached files' })).toBeTruthy()
})

test('a file attached before the first question begins a chat and keeps what was typed', async () => {
  const { user, router } = openApp(AI)
  await user.type(await screen.findByLabelText('Question'), 'what does it say')
  await user.upload(screen.getByLabelText('Choose files to attach'), new File(['Prices'], 'prices.md'))
  await waitFor(() => expect(router.state.location.pathname).toMatch(/\/ai\/chats\/chat\d+$/))
  expect(await screen.findByRole('list', { name: 'Attached files' })).toBeTruthy()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Question').value).toBe('what does it say')
})

test('a document job is cancelled and tried again', async () => {
  const documents = [fakeDocument('plan.pdf', { status: 'in_progress', passage_count: 0 })]
  const { user } = openApp(`${AI}/jobs`, { ai: createAi({ documents }) })
  const jobs = await screen.findByRole('list', { name: 'Document jobs' })
  await user.click(await within(jobs).findByRole('button', { name: 'Cancel reading plan.pdf' }))
  expect(await within(jobs).findByText('Cancelled.')).toBeTruthy()
  await user.click(within(jobs).getByRole('button', { name: 'Retry plan.pdf' }))
  expect(await within(jobs).findByText('In progress')).toBeTruthy()
})
