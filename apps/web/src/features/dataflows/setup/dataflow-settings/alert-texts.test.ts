import { expect, test } from 'vitest'
import { parseEmails, emailsProblem, webhookProblem } from './alert-texts.ts'

test('addresses with anything between them, each once', () => {
  expect(parseEmails('ada@example.com, grace@example.com; ada@example.com')).toEqual([
    'ada@example.com',
    'grace@example.com',
  ])
  expect(emailsProblem('ada@example.com, nobody')).toBe('“nobody” is not a valid email address')
  expect(emailsProblem('')).toBeUndefined()
  expect(emailsProblem(Array.from({ length: 21 }, (_, at) => `a${at}@example.com`).join())).toContain('At most 20')
})

test('a webhook is a web address', () => {
  expect(webhookProblem('')).toBeUndefined()
  expect(webhookProblem('https://example.com/hook')).toBeUndefined()
  expect(webhookProblem('ftp://example.com')).toBe('Enter an address that begins with https:// or http://')
})
