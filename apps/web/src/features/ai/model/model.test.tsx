import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createAi } from '../../../testing/ai/fake-ai.ts'
import { fakeModel } from '../../../testing/ai/fake-model.ts'
import { MISSING_MODEL } from '../../../testing/ai/fake-model-handlers.ts'
import { openApp } from '../../../testing/render-app.tsx'

const TAB = '/northwind/settings?tab=model'
const OWN = fakeModel({
  source: 'account',
  protocol: 'openai',
  base_url: 'http://localhost:11434/v1',
  model: 'qwen3',
  has_key: true,
  can_stream: true,
  can_use_tools: true,
  context_tokens: 32_768,
  checked_at: '2026-11-16T09:00:00.000Z',
})

test('a model of one’s own is tested and saved; the key is never shown again', async () => {
  const { user, world } = openApp(TAB)
  expect(await screen.findByText('Rules only')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Remove model…' })).toBeNull()
  await user.selectOptions(screen.getByLabelText('Protocol'), 'OpenAI-compatible')
  expect(screen.getByLabelText<HTMLInputElement>('Base URL').value).toBe('https://api.openai.com/v1')
  await user.type(screen.getByLabelText('Model'), MISSING_MODEL)
  await user.type(screen.getByLabelText(/^API key/), 'sk-secret')
  await user.click(screen.getByRole('button', { name: 'Test and save' }))
  expect(await screen.findByText('The endpoint has no model named “not-there”.')).toBeTruthy()
  expect(world.ai.model.source).toBe('none')
  await user.clear(screen.getByLabelText('Model'))
  await user.type(screen.getByLabelText('Model'), 'gpt-x')
  await user.click(screen.getByRole('button', { name: 'Test and save' }))
  expect(await screen.findByText('The model answered and is saved.')).toBeTruthy()
  expect(await screen.findByText('A key is stored')).toBeTruthy()
  expect(screen.getByText('32,768 tokens')).toBeTruthy()
  expect(screen.getByText('Not supported')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>(/^API key/).value).toBe('')
  expect(world.ai.model).toMatchObject({ protocol: 'openai', model: 'gpt-x', has_key: true })
})

test('another address needs the key again, and says so at its field', async () => {
  const { user, world } = openApp(TAB, { ai: createAi({ model: OWN }) })
  const url = await screen.findByLabelText('Base URL')
  await user.clear(url)
  await user.type(url, 'https://models.example.com/v1')
  await user.click(screen.getByRole('button', { name: 'Test and save' }))
  expect(await screen.findByText('Enter the key again for another address.')).toBeTruthy()
  expect(world.ai.model.base_url).toBe(OWN.base_url)
})

test('a model is removed after a question', async () => {
  const { user, world } = openApp(TAB, { ai: createAi({ model: OWN }) })
  await user.click(await screen.findByRole('button', { name: 'Remove model…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove qwen3?' }))
  expect(world.ai.model.source).toBe('account')
  await user.click(dialog.getByRole('button', { name: 'Remove model' }))
  expect(await screen.findByText('Rules only')).toBeTruthy()
})

test('who has partial access sees the model of the installation and can change nothing', async () => {
  const model = fakeModel({ source: 'installation', protocol: 'anthropic', model: 'claude-x', credits_per_answer: 1 })
  openApp('/riverside-lab/settings?tab=model', { ai: createAi({ model }) })
  expect(await screen.findByText('claude-x')).toBeTruthy()
  expect(screen.getByText('1 credit')).toBeTruthy()
  expect(screen.getByText('Only the owner and admins of the account can change the model.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Test and save' })).toBeNull()
})
