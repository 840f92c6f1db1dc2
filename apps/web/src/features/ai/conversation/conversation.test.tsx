import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createAi, createAnswerParts, fakeMessage, fakeQueryAccount, SQL } from '../../../testing/ai/fake-ai.ts'
import { tellMessage } from '../../../testing/ai/fake-ai-handlers.ts'
import { FAKE_DATABASE } from '../../../testing/fake-explorer.ts'
import { giveSize } from '../../../testing/give-size.ts'
import { openApp } from '../../../testing/render-app.tsx'

giveSize()

const AI = '/northwind/growth/ai'
const CHAT = `${AI}/chats/chat1`
const EMPTY = { messages: [] }
const findAnswer = () => screen.findByRole('article', { name: 'Answer' })

test('an answer shows reading, table, receipt, sources, engine and follow-ups; the page is dark', async () => {
  const { user } = openApp(CHAT)
  const answer = await findAnswer()
  expect(within(answer).getByText('Total amount by status')).toBeTruthy()
  expect(within(answer).getByText('Words that were not used: “please”')).toBeTruthy()
  expect(within(answer).getByText('Rule-based assistant; connect a model for free-form questions.')).toBeTruthy()
  expect(await within(answer).findByRole('grid', { name: 'Answer' })).toBeTruthy()
  expect(within(answer).getByRole('link', { name: 'shop.orders' }).getAttribute('href')).toBe(
    `/northwind/growth/explorer/${FAKE_DATABASE}/schema/shop/table/orders/preview`,
  )
  expect(within(answer).queryByText(SQL)).toBeNull()
  await user.click(within(answer).getByRole('button', { name: 'SQL and receipt' }))
  expect(within(answer).getByText(SQL)).toBeTruthy()
  expect(within(answer).getByText('61 of at most 1,000,000, about 3 rows')).toBeTruthy()
  expect(within(answer).getByText('A database role that can read these tables only')).toBeTruthy()
  expect(await screen.findByText(/Answers are free/)).toBeTruthy()
  expect(document.documentElement.dataset['theme']).toBe('dark')
})

test('the table of an answer is copied and downloaded', async () => {
  const { user } = openApp(CHAT)
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await user.click(await screen.findByRole('button', { name: 'Copy table' }))
  expect(written).toHaveBeenCalledWith('status\ttotal\npaid\t900.50\nopen\t100.00')
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  URL.createObjectURL = () => 'blob:x'
  URL.revokeObjectURL = () => undefined
  await user.click(screen.getByRole('button', { name: 'Download CSV' }))
  expect(saved).toEqual(['total-amount-by-status-please.csv'])
  vi.restoreAllMocks()
})

test('text that a spreadsheet would run is made safe in the file, and raw on request', async () => {
  const parts = createAnswerParts().map((part) =>
    part.kind === 'table' ? { ...part, rows: [['=1+1', '-5.00']] } : part,
  )
  const { user } = openApp(CHAT, { ai: createAi({ messages: [fakeMessage('a1', { parts })] }) })
  const files: Blob[] = []
  URL.createObjectURL = (file) => `blob:${files.push(file as Blob)}`
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  await user.click(await screen.findByRole('button', { name: 'Download CSV' }))
  await user.click(screen.getByRole('button', { name: 'Download raw CSV' }))
  expect(await Promise.all(files.map((file) => file.text()))).toEqual([
    "\uFEFFstatus,total\r\n'=1+1,-5.00\r\n",
    '\uFEFFstatus,total\r\n=1+1,-5.00\r\n',
  ])
  vi.restoreAllMocks()
})

test('an answer grows while it is followed, and the box is free again when it is complete', async () => {
  const { user, world } = openApp(CHAT, { ai: createAi(EMPTY) })
  expect(await screen.findByRole('button', { name: 'How many orders?' })).toBeTruthy()
  await user.type(screen.getByLabelText('Question'), 'total amount by status{Enter}')
  expect(await screen.findByText('Reading the question')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Stop answer' })).toBeTruthy()
  await waitFor(() => expect(world.runs.listeners.size).toBeGreaterThan(0))
  const parts = createAnswerParts()
  act(() => tellMessage(world, 'a0', { status: 'responding', parts: parts.slice(0, 2) }))
  expect(await screen.findByText('Reading the tables of this project')).toBeTruthy()
  expect(screen.queryByText('Total amount by status')).toBeNull()
  act(() => tellMessage(world, 'a0', { status: 'completed', parts }))
  expect(await screen.findByText('Total amount by status')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Send' })).toBeTruthy()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Question' }).value).toBe('')
})

test('a stream that can not be opened is replaced by long-poll', async () => {
  const going = fakeMessage('a1', { status: 'responding', finished_at: null })
  const { world } = openApp(CHAT, {
    ai: createAi({ messages: [fakeMessage('q1', { role: 'user', text: 'total amount' }), going] }),
    broken: new Set(['followMessage']),
  })
  expect(await screen.findByText('Reading the question')).toBeTruthy()
  tellMessage(world, 'a1', { status: 'completed', parts: createAnswerParts() })
  expect(await screen.findByText('Total amount by status')).toBeTruthy()
})

test('a chip asks the same question again with every choice', async () => {
  const { user, world } = openApp(CHAT)
  await user.click(await screen.findByRole('button', { name: /^Measure total amount/ }))
  world.ai.answers.push(createAnswerParts())
  await user.click(await screen.findByRole('menuitemradio', { name: 'average amount' }))
  await waitFor(() => expect(world.ai.sent).toHaveLength(1))
  expect(world.ai.sent[0]).toEqual({
    text: 'total amount by status please',
    choices: { 'measure.0': 'avg amount', 'group.0': 'status' },
  })
  await waitFor(() => expect(screen.getAllByRole('article', { name: 'Answer' })).toHaveLength(2))
})

test('one of several readings is picked', async () => {
  const choices = { 'word amount': 'orders.amount', reading: 'accepted' }
  const readings = [
    { summary: 'Total amount of orders', sql: 'select 1', choices, confidence: 0.4 },
    { summary: 'Total amount of refunds', sql: 'select 2', choices: {}, confidence: 0.3 },
  ]
  const messages = [
    fakeMessage('q1', { role: 'user', text: 'amount' }),
    fakeMessage('a1', { parts: [{ kind: 'readings', id: '0', readings, ignored_words: [] }] }),
  ]
  const { user, world } = openApp(CHAT, { ai: createAi({ messages, answers: [[]] }) })
  await user.click(await screen.findByRole('button', { name: /^Total amount of orders/ }))
  await waitFor(() => expect(world.ai.sent).toEqual([{ text: 'amount', choices }]))
})

test('Escape stops an answer; it says that it cost nothing and can be asked again', async () => {
  const { user, world } = openApp(CHAT, { ai: createAi(EMPTY) })
  await user.type(await screen.findByLabelText('Question'), 'total amount{Enter}')
  await screen.findByRole('button', { name: 'Stop answer' })
  await user.type(screen.getByLabelText('Question'), '{Escape}')
  expect(await screen.findByText(/^The answer was stopped\. It cost nothing\./)).toBeTruthy()
  expect(world.ai.messages.at(-1)?.status).toBe('cancelled')
  await user.click(screen.getByRole('button', { name: 'Ask again' }))
  await waitFor(() => expect(world.ai.sent.map(({ text }) => text)).toEqual(['total amount', 'total amount']))
})

test('a question that is not sent stays in the box', async () => {
  const { user } = openApp(CHAT, { broken: new Set(['sendMessage']) })
  await user.type(await screen.findByLabelText('Question'), 'total amount{Enter}')
  expect(await screen.findByText(/^The question could not be sent\./)).toBeTruthy()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Question' }).value).toBe('total amount')
})

test('a refused query shows why at once', async () => {
  const refusal = {
    code: 'table_not_in_scope' as const,
    message: 'The table shop.salaries is not part of this project.',
    hint: 'Choose it for the project.',
    position: 15,
  }
  const account = fakeQueryAccount({ refusal, rows: 0, estimated_cost: null })
  const parts = [
    {
      kind: 'sql' as const,
      id: '0',
      integration_trellis_code: FAKE_DATABASE,
      sql: 'select * from shop.salaries',
      account,
    },
  ]
  openApp(CHAT, { ai: createAi({ messages: [fakeMessage('a1', { parts })] }) })
  const answer = await findAnswer()
  expect(within(answer).getByText('The table shop.salaries is not part of this project.')).toBeTruthy()
  expect(within(answer).getByText('Choose it for the project. At character 15.')).toBeTruthy()
  expect(within(answer).getByText('Not run')).toBeTruthy()
  expect(within(answer).queryByRole('button', { name: 'Save as verified' })).toBeNull()
})

test('text of an answer has no markup, no pictures and no links to elsewhere', async () => {
  const text = 'See ![x](https://evil.example/p.png) and [here](https://evil.example/?q=1) <img src=x> **bold**'
  openApp(CHAT, { ai: createAi({ messages: [fakeMessage('a1', { parts: [{ kind: 'text', id: '0', text }] })] }) })
  const answer = await findAnswer()
  expect(within(answer).getByText('bold').tagName).toBe('STRONG')
  expect(answer.querySelector('img')).toBeNull()
  expect(answer.querySelector('a')).toBeNull()
  expect(answer.textContent).toContain('here (https://evil.example/?q=1) <img src=x>')
})

test('a bad answer is rated with reasons, a good query is kept as verified', async () => {
  const { user, world } = openApp(CHAT)
  const answer = await findAnswer()
  await user.click(within(answer).getByRole('button', { name: 'Bad answer' }))
  const form = await within(answer).findByRole('form', { name: 'What was wrong?' })
  await user.click(within(form).getByLabelText('Wrong numbers'))
  await user.type(within(form).getByLabelText(/^Comment/), 'Tax is missing')
  await user.click(within(form).getByRole('button', { name: 'Send' }))
  await waitFor(() =>
    expect(world.ai.feedback['a1']).toEqual({ rating: 'down', reasons: ['wrong_numbers'], comment: 'Tax is missing' }),
  )
  expect(within(answer).getByRole('button', { name: 'Bad answer' }).getAttribute('aria-pressed')).toBe('true')
  await user.click(within(answer).getByRole('button', { name: 'Save as verified' }))
  await waitFor(() => expect(world.ai.contexts[0]).toMatchObject({ kind: 'verified_question', sql: SQL }))
  expect(world.ai.contexts[0]?.name).toBe('total amount by status please')
})

test('the first question of the AI page opens a chat with its answer', async () => {
  const { user, router } = openApp(AI, { ai: createAi({ ...EMPTY, answers: [createAnswerParts()] }) })
  await user.click(await screen.findByRole('button', { name: 'How many orders?' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`${AI}/chats/chat2`))
  expect(await screen.findByText('Total amount by status')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'How many orders?' })).toBeTruthy()
})

test('chats are searched, renamed and deleted', async () => {
  const { user, world } = openApp(`${AI}/chats`)
  await user.click(await screen.findByRole('button', { name: 'Actions for Amount by status' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  const dialog = await screen.findByRole('dialog', { name: 'Rename chat' })
  await user.clear(within(dialog).getByLabelText('Name'))
  await user.type(within(dialog).getByLabelText('Name'), 'Revenue{Enter}')
  expect(await screen.findByRole('link', { name: 'Revenue' })).toBeTruthy()
  await user.type(screen.getByRole('searchbox', { name: 'Search chats' }), 'zzz')
  expect(await screen.findByText(/^No chat matches/)).toBeTruthy()
  await user.clear(screen.getByRole('searchbox', { name: 'Search chats' }))
  await user.click(await screen.findByRole('button', { name: 'Actions for Revenue' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('No chats yet')).toBeTruthy()
  expect(world.ai.conversations).toEqual([])
})

test('without a project the first step is to create one', async () => {
  openApp(AI, { ai: createAi({ projects: [] }) })
  const link = await screen.findByRole('link', { name: 'Create project' })
  expect(link.getAttribute('href')).toBe(`${AI}/projects?new=1`)
})

test('a value of a verified question is edited, and the question asked again with it', async () => {
  const chip = { id: 'parameter.country', kind: 'parameter' as const, label: 'country', words: 'Austria', value: 'AT' }
  const options = ['AT', 'DE'].map((value) => ({ value, label: value }))
  const reading = { id: 'p1', kind: 'reading' as const, summary: 'Customers', ignored_words: [], confidence: 1 }
  const parts = [{ ...reading, chips: [{ ...chip, options }] }]
  const messages = [fakeMessage('q1', { role: 'user', text: 'customers in Austria' }), fakeMessage('a1', { parts })]
  const { user, world } = openApp(CHAT, { ai: createAi({ messages }) })
  await user.click(await screen.findByRole('button', { name: 'Change country: AT' }))
  const field = screen.getByLabelText('country')
  await user.clear(field)
  await user.type(field, 'DE{Enter}')
  await waitFor(() =>
    expect(world.ai.sent).toMatchObject([{ text: 'customers in Austria', choices: { 'parameter.country': 'DE' } }]),
  )
})

test('an answer by rules does not ask for a model when one is connected', async () => {
  const parts = [{ id: 'p1', kind: 'engine' as const, engine: 'rules' as const, model: 'small-1' }]
  openApp(CHAT, { ai: createAi({ messages: [fakeMessage('a1', { parts })] }) })
  expect(await screen.findByText('Answered by rules, without small-1.')).toBeTruthy()
})
