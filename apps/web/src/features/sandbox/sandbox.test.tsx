import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createAi } from '../../testing/ai/fake-ai.ts'
import { openApp } from '../../testing/render-app.tsx'
import { parseTools } from './parse-tools.ts'

const PATH = '/northwind/growth/sandbox'

test('a sandbox is created, shown and reset after a question', async () => {
  const { user } = openApp(PATH)
  await user.click(await screen.findByRole('button', { name: 'Create the sandbox' }))
  const tables = await screen.findByRole('list', { name: 'Tables of the sandbox' })
  expect(within(tables).getByRole('link', { name: 'orders' })).toBeTruthy()
  expect(within(tables).getAllByRole('link', { name: 'Query' })).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Reset' }))
  const dialog = await screen.findByRole('dialog', { name: 'Reset the sandbox?' })
  await user.click(within(dialog).getByRole('button', { name: 'Reset' }))
  expect(await screen.findByText('The sandbox has fresh sample data.')).toBeTruthy()
})

test('without a model the console says how to connect one', async () => {
  openApp(`${PATH}/ai-core`)
  expect(await screen.findByRole('heading', { name: 'No model is connected' })).toBeTruthy()
})

test('a prompt is sent to two models, with tools, tokens and times shown', async () => {
  const ai = createAi()
  const own = { ...ai.model, source: 'account' as const, model: 'usual' }
  const { user } = openApp(`${PATH}/ai-core`, { ai: { ...ai, model: own } })
  await user.type(await screen.findByLabelText('Prompt'), 'Hello')
  await user.click(screen.getByLabelText(/^Tools/))
  await user.paste('[{"name": "look_up"}]')
  await user.type(screen.getByLabelText(/^Compare with/), 'other')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  const answer = await screen.findByRole('region', { name: 'usual' })
  expect(within(answer).getByText('You said: Hello')).toBeTruthy()
  expect(within(answer).getByText('look_up({})')).toBeTruthy()
  expect(within(answer).getByText('1,200')).toBeTruthy()
  expect(await screen.findByRole('region', { name: 'other' })).toBeTruthy()
})

test('tools are JSON, and a mistake is named', () => {
  expect(parseTools(' ')).toEqual({ tools: [], problem: null })
  expect(parseTools('[{').problem).toContain('not JSON')
  expect(parseTools('[{"name": "not a name"}]').problem).toContain('letters')
  expect(parseTools('[{"name": "look_up"}]').tools).toMatchObject([{ name: 'look_up' }])
})
