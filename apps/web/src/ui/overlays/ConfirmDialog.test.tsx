import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { ConfirmDialog, TypedConfirmDialog } from './ConfirmDialog.tsx'

afterEach(cleanup)

test('asks plainly, with Delete as the default word and the safe button focused', async () => {
  const [onConfirm, onClose] = [vi.fn(), vi.fn()]
  render(
    <ConfirmDialog title="Delete this worksheet?" onConfirm={onConfirm} onClose={onClose}>
      Its text is lost.
    </ConfirmDialog>,
  )
  expect(screen.getByRole('dialog', { name: 'Delete this worksheet?' })).toBeTruthy()
  expect(document.activeElement?.textContent).toBe('Cancel')
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(onConfirm).toHaveBeenCalledTimes(1)
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('cannot be left or confirmed twice while the work is under way', async () => {
  const [onConfirm, onClose] = [vi.fn(), vi.fn()]
  render(
    <ConfirmDialog title="Delete?" isBusy onConfirm={onConfirm} onClose={onClose}>
      Gone.
    </ConfirmDialog>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await userEvent.keyboard('{Escape}')
  expect(onConfirm).not.toHaveBeenCalled()
  expect(onClose).not.toHaveBeenCalled()
})

test('the typed question opens its button only for the word, whatever its case', async () => {
  const onConfirm = vi.fn()
  render(
    <TypedConfirmDialog title="Delete this workspace?" onConfirm={onConfirm} onClose={() => undefined}>
      All of it is lost.
    </TypedConfirmDialog>,
  )
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' })
  const field = screen.getByLabelText('Type delete to confirm')
  expect(document.activeElement).toBe(field)
  await userEvent.type(field, 'delet')
  expect(button.disabled).toBe(true)
  await userEvent.keyboard('{Enter}')
  expect(onConfirm).not.toHaveBeenCalled()
  await userEvent.clear(field)
  await userEvent.type(field, 'DeLeTe')
  expect(button.disabled).toBe(false)
  await userEvent.keyboard('{Enter}')
  expect(onConfirm).toHaveBeenCalledTimes(1)
})

test('the page behind is held while any dialog is open', () => {
  const isHeld = () => 'modal' in document.documentElement.dataset
  const ask = (key: string) => (
    <ConfirmDialog key={key} title={key} onConfirm={() => undefined} onClose={() => undefined}>
      Gone.
    </ConfirmDialog>
  )
  const { rerender } = render([ask('first'), ask('second')])
  expect(isHeld()).toBe(true)
  rerender([ask('second')])
  expect(isHeld()).toBe(true)
  rerender([])
  expect(isHeld()).toBe(false)
})
