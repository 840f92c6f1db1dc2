import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showToast, TOAST_MS } from './toasts.ts'
import { Toasts } from './Toasts.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const show = (...toasts: Parameters<typeof showToast>[0][]) => act(() => toasts.forEach((toast) => showToast(toast)))
const wait = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

test('a toast stays three seconds', () => {
  render(<Toasts />)
  show({ text: 'Changes successfully saved.', tone: 'success' })
  wait(TOAST_MS - 1)
  expect(screen.queryByText('Changes successfully saved.')).toBeTruthy()
  wait(1)
  expect(screen.queryByText('Changes successfully saved.')).toBeNull()
})

test('three are seen, the rest wait for their own three seconds', () => {
  render(<Toasts />)
  show({ text: 'one' }, { text: 'two' }, { text: 'three' }, { text: 'four' }, { text: 'four' })
  expect(screen.queryByText('four')).toBeNull()
  wait(TOAST_MS)
  expect(screen.queryAllByText('four')).toHaveLength(1)
  wait(TOAST_MS)
  expect(screen.queryByText('four')).toBeNull()
})

test('a toast under the mouse waits', () => {
  render(<Toasts />)
  show({ text: 'Read me' })
  const card = screen.getByRole('status')
  fireEvent.pointerEnter(card)
  wait(TOAST_MS * 2)
  expect(screen.queryByText('Read me')).toBeTruthy()
  fireEvent.pointerLeave(card)
  wait(TOAST_MS)
  expect(screen.queryByText('Read me')).toBeNull()
})

test('the bar at the bottom centre stays until it is dismissed', () => {
  const onDismiss = vi.fn()
  render(<Toasts />)
  show({ text: 'Your plan ends in 3 days.', place: 'centre', onDismiss })
  wait(TOAST_MS * 10)
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText('Your plan ends in 3 days.')).toBeNull()
  expect(onDismiss).toHaveBeenCalledTimes(1)
})

test('an action is done once and closes its toast', () => {
  const onSelect = vi.fn()
  render(<Toasts />)
  show({ text: 'Dataflow deleted.', action: { label: 'Undo', onSelect } })
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(onSelect).toHaveBeenCalledTimes(1)
  expect(screen.queryByText('Dataflow deleted.')).toBeNull()
})
