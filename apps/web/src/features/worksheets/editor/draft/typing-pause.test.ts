import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTypingPause } from './typing-pause.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function startTyping() {
  const pause = createTypingPause()
  const state = { isOver: false }
  pause.note()
  void pause.wait().then(() => (state.isOver = true))
  return {
    isOver: () => state.isOver,
    type: async (keys: number) => {
      for (let key = 0; key < keys; key += 1) {
        await vi.advanceTimersByTimeAsync(100)
        pause.note()
      }
    },
  }
}

test('waits until nobody types', async () => {
  const typing = startTyping()
  await typing.type(5)
  expect(typing.isOver()).toBe(false)
  await vi.advanceTimersByTimeAsync(800)
  expect(typing.isOver()).toBe(true)
})

test('does not wait for somebody who never stops', async () => {
  const typing = startTyping()
  await typing.type(20)
  expect(typing.isOver()).toBe(true)
})
