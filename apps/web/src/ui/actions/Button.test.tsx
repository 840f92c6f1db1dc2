import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Button } from './Button.tsx'

const findButton = () => screen.getByRole('button', { name: 'Save' })

test('keeps the focus while it works, and is not pressed a second time', async () => {
  const onClick = vi.fn()
  const person = userEvent.setup()
  const { rerender } = render(<Button onClick={onClick}>Save</Button>)
  await person.click(findButton())
  rerender(
    <Button onClick={onClick} isBusy>
      Save
    </Button>,
  )
  expect(document.activeElement).toBe(findButton())
  expect(findButton().getAttribute('aria-disabled')).toBe('true')
  await person.click(findButton())
  await person.keyboard('{Enter} ')
  expect(onClick).toHaveBeenCalledTimes(1)
})

test('does not send its form again on Enter in a field', async () => {
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  render(
    <form onSubmit={onSubmit}>
      <input aria-label="Name" />
      <Button type="submit" isBusy>
        Save
      </Button>
    </form>,
  )
  await userEvent.type(screen.getByLabelText('Name'), 'north{Enter}')
  expect(onSubmit).not.toHaveBeenCalled()
})
