import { expect, test } from 'vitest'
import { parseEmails, findEmailsProblem, findWebhookProblem } from './alert-texts.ts'

test('addresses with anything between them, each once', () => {
  expect(parseEmails('ada@example.com, grace@example.com; ada@example.com')).toEqual([
    'ada@example.com',
    'grace@example.com',
  ])
  expect(findEmailsProblem('ada@example.com, nobody')).toBe('“nobody” is not a valid email address')
  expect(findEmailsProblem('')).toBeUndefined()
  expect(findEmailsProblem(Array.from({ length: 21 }, (_, at) => `a${at}@example.com`).join())).toContain('At most 20')
})

test('a webhook is a web address', () => {
  expect(findWebhookProblem('')).toBeUndefined()
  expect(findWebhookProblem('https://example.com/hook')).toBeUndefined()
  expect(findWebhookProblem('ftp://example.com')).toBe('Enter an address that begins with https:// or http://')
})
