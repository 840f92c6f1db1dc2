import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { MemoryRouter } from 'react-router'
import { DateField } from './DateField.tsx'

function Sample({ start = '', defaultTime, max }: { start?: string; defaultTime?: string; max?: string }) {
  const [value, setValue] = useState(start)
  return (
    <MemoryRouter>
      <DateField label="Until" value={value} onChange={setValue} defaultTime={defaultTime} max={max} />
      <output>{value}</output>
    </MemoryRouter>
  )
}

const field = () => screen.getByLabelText<HTMLInputElement>('Until')
const saved = () => screen.getByRole('status').textContent

test('a day is typed as it is shown', async () => {
  const user = userEvent.setup()
  render(<Sample />)
  await user.type(field(), '2026-2-3')
  await user.tab()
  expect(saved()).toBe('2026-02-03')
  expect(field().value).toBe('2026-02-03')
  await user.clear(field())
  expect(saved()).toBe('')
})

test('what is no date is told, and the field shows again what is saved', async () => {
  const user = userEvent.setup()
  render(<Sample start="2026-11-18" />)
  await user.clear(field())
  await user.type(field(), '31.12.2026')
  await user.tab()
  expect(screen.getByRole('alert').textContent).toBe('“31.12.2026” is not a date. Write it as YYYY-MM-DD.')
  expect(field().value).toBe(saved())
})

test('a day is chosen from the month by keyboard, and its time is kept', async () => {
  const user = userEvent.setup()
  render(<Sample start="2026-11-18T07:30" defaultTime="23:59" />)
  await user.click(screen.getByRole('button', { name: 'Choose a day' }))
  const panel = await screen.findByRole('dialog', { name: 'Choose a day', hidden: true })
  expect(document.activeElement?.textContent).toBe('18')
  await user.keyboard('{ArrowDown}{ArrowRight}{PageDown}')
  expect(within(panel).getByText('December 2026')).toBeTruthy()
  await user.keyboard('{Enter}')
  expect(saved()).toBe('2026-12-26T07:30')
  expect(field().value).toBe('2026-12-26 07:30')
  expect(screen.queryByRole('dialog', { hidden: true })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Choose a day' }))
})

test('days beyond the limit can not be chosen; Escape closes', async () => {
  const user = userEvent.setup()
  render(<Sample start="2026-11-18" max="2026-11-18" />)
  await user.click(screen.getByRole('button', { name: 'Choose a day' }))
  const panel = await screen.findByRole('dialog', { hidden: true })
  const day = (name: string) => within(panel).getByRole<HTMLButtonElement>('button', { name, hidden: true })
  expect(day('Thursday, November 19, 2026').disabled).toBe(true)
  expect(day('Tuesday, November 17, 2026').disabled).toBe(false)
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(day('Wednesday, November 18, 2026'))
  await user.keyboard('{ArrowLeft}')
  expect(document.activeElement).toBe(day('Tuesday, November 17, 2026'))
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog', { hidden: true })).toBeNull()
})
