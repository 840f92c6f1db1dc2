import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createAi, createAnswerParts } from '../../../testing/ai/fake-ai.ts'
import { fakeModel } from '../../../testing/ai/fake-model.ts'
import { giveSize } from '../../../testing/give-size.ts'
import { openApp } from '../../../testing/render-app.tsx'

giveSize()

const AI = '/northwind/growth/ai'
const CHAT = `${AI}/chats/chat1`
const model = fakeModel({ source: 'installation', protocol: 'anthropic', model: 'claude-x', credits_per_answer: 1 })
const NOTICE = 'Not enough credits for an answer of the model'

test('what an answer costs is shown before it is asked, and rules answer without the model', async () => {
  const ai = createAi({ model, answers: [createAnswerParts(), createAnswerParts()] })
  const { user, world } = openApp(CHAT, { ai })
  expect(await screen.findByText(/An answer costs 1 credit; failed or stopped answers cost nothing/)).toBeTruthy()
  await user.type(screen.getByLabelText('Question'), 'first{Enter}')
  expect(await screen.findByText('first')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Answer with'), 'Rules only')
  expect(screen.getByText('Answers by rules are free.')).toBeTruthy()
  await user.type(screen.getByLabelText('Question'), 'second{Enter}')
  expect(await screen.findByText('second')).toBeTruthy()
  expect(world.ai.sent).toEqual([{ text: 'first' }, { text: 'second', engine: 'rules' }])
})

test('without credits the question stays and can be asked by rules', async () => {
  const ai = createAi({ model, creditsLeft: 0, answers: [createAnswerParts()] })
  const { user, world } = openApp(CHAT, { ai })
  await user.type(await screen.findByLabelText('Question'), 'total amount{Enter}')
  expect(await screen.findByText(NOTICE)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Show credits' }).getAttribute('href')).toBe(
    '/northwind/settings?tab=plan-utilization',
  )
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Question' }).value).toBe('total amount')
  await user.click(screen.getByRole('button', { name: 'Use rules instead' }))
  expect(screen.queryByText(NOTICE)).toBeNull()
  await user.type(screen.getByLabelText('Question'), '{Enter}')
  await waitFor(() => expect(world.ai.sent.at(-1)).toEqual({ text: 'total amount', engine: 'rules' }))
})

test('a first question without credits comes along to its new chat with the reason', async () => {
  const { user } = openApp(AI, { ai: createAi({ model, creditsLeft: 0 }) })
  expect(await screen.findByText(/An answer costs 1 credit/)).toBeTruthy()
  await user.type(screen.getByLabelText('Question'), 'total amount{Enter}')
  expect(await screen.findByText(NOTICE)).toBeTruthy()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Question' }).value).toBe('total amount')
})
