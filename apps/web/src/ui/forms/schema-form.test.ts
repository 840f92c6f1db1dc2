import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { useSchemaForm } from './schema-form.ts'

afterEach(cleanup)

const Schema = z.object({
  name: z.string().check(z.trim(), z.minLength(2, 'Too short')),
  preferences: z.object({ theme: z.string().check(z.minLength(1, 'Choose one')) }),
})

const start = { name: 'Ada', preferences: { theme: 'light' } }
const open = () => renderHook(() => useSchemaForm(Schema, start)).result

test('it is dirty while it differs from where it began', () => {
  const form = open()
  expect(form.current.isDirty).toBe(false)
  act(() => form.current.type('preferences.theme', 'dark'))
  expect(form.current.isDirty).toBe(true)
  expect(form.current.isTyped('preferences.theme')).toBe(true)
  act(() => form.current.type('preferences.theme', 'light'))
  expect(form.current.isDirty).toBe(false)
  expect(form.current.isTyped('preferences.theme')).toBe(false)
  act(() => form.current.setValue('name', 'Grace'))
  expect(form.current.isDirty).toBe(true)
  expect(form.current.isTyped('name')).toBe(false)
})

test('problems show after touch, those of members too', () => {
  const form = open()
  act(() => form.current.type('preferences.theme', ''))
  expect(form.current.isValid).toBe(false)
  expect(form.current.getShownError('preferences.theme')).toBeUndefined()
  act(() => form.current.touch('preferences.theme'))
  expect(form.current.getShownError('preferences.theme')).toBe('Choose one')
})

test('refused values cannot be sent again; the complaint stays until its field changes', () => {
  const form = open()
  act(() => form.current.setFieldError('name', 'Taken'))
  expect(form.current.isValid).toBe(false)
  act(() => form.current.type('preferences.theme', 'dark'))
  expect(form.current.isValid).toBe(true)
  expect(form.current.getShownError('name')).toBe('Taken')
  act(() => form.current.type('name', 'Grace'))
  expect(form.current.getShownError('name')).toBeUndefined()
})

test('what the server says of a value that was changed meanwhile is dropped', async () => {
  const form = open()
  act(() => form.current.type('name', 'Grace'))
  await act(() =>
    form.current.submit(async () => {
      act(() => form.current.type('name', 'Grace H'))
      form.current.setFieldError('name', 'Taken')
    }),
  )
  expect(form.current.getShownError('name')).toBeUndefined()
  expect(form.current.isValid).toBe(true)
  await act(() => form.current.submit(() => form.current.setFieldError('name', 'Taken too')))
  expect(form.current.getShownError('name')).toBe('Taken too')
})

test('what comes from elsewhere replaces only what the person left alone', () => {
  const form = open()
  act(() => form.current.type('name', 'Grace'))
  act(() => form.current.follow({ name: 'Alan', preferences: { theme: 'dark' } }))
  expect(form.current.values).toEqual({ name: 'Grace', preferences: { theme: 'dark' } })
  expect(form.current.isDirty).toBe(true)
  act(() => form.current.follow({ name: 'Grace', preferences: { theme: 'dark' } }))
  expect(form.current.isDirty).toBe(false)
  act(() => form.current.reset(start))
  expect(form.current.values).toEqual(start)
})

test('it is sent as the schema reads it, and is busy until that has ended, even badly', async () => {
  const form = open()
  act(() => form.current.type('name', ' Grace '))
  let fail: (error: Error) => void = () => undefined
  let sent: unknown
  let ended: Promise<unknown> = Promise.resolve()
  act(() => {
    ended = form.current
      .submit((values) => {
        sent = values
        return new Promise((_, reject) => (fail = reject))
      })
      .catch((error: Error) => error.message)
  })
  expect(form.current.isSubmitting).toBe(true)
  expect(sent).toEqual({ ...start, name: 'Grace' })
  await act(async () => {
    fail(new Error('no'))
    expect(await ended).toBe('no')
  })
  expect(form.current.isSubmitting).toBe(false)
})
