import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissToast, holdToast, releaseToast, showToast, useToasts } from './toasts.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  act(() => void vi.runAllTimers())
  vi.useRealTimers()
})

const wait = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))
const say = (text: string) => act(() => showToast({ tone: 'error', text }))

function shown() {
  const { result } = renderHook(() => useToasts())
  return { texts: () => result.current.map(({ text }) => text), id: () => result.current[0]?.id ?? 0 }
}

test('a toast is gone after three seconds', () => {
  const { texts } = shown()
  say('No')
  wait(2_999)
  expect(texts()).toEqual(['No'])
  wait(1)
  expect(texts()).toEqual([])
})

test('the same words are shown once, with their time anew', () => {
  const { texts } = shown()
  say('No')
  wait(2_000)
  say('No')
  say('Neither')
  expect(texts()).toEqual(['No', 'Neither'])
  wait(2_000)
  expect(texts()).toEqual(['No', 'Neither'])
})

test('it waits while it is pointed at', () => {
  const { texts, id } = shown()
  say('No')
  act(() => holdToast(id()))
  wait(60_000)
  expect(texts()).toEqual(['No'])
  act(() => releaseToast(id()))
  wait(3_000)
  expect(texts()).toEqual([])
})

test('it can be dismissed', () => {
  const { texts, id } = shown()
  say('No')
  act(() => dismissToast(id()))
  expect(texts()).toEqual([])
})
