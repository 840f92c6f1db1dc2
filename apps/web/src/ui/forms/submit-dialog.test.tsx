import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { SubmitDialog } from './SubmitDialog.tsx'
import { TextField } from './TextField.tsx'

interface SampleProps {
  /** Not there yet without one. */
  projects?: readonly string[]
  onSubmit: (name: string, project: string | undefined) => void
  onClose?: () => void
}

function Sample({ projects, onSubmit, onClose = vi.fn() }: SampleProps) {
  const [name, setName] = useState('')
  return (
    <SubmitDialog
      title="Create a spark"
      submitLabel="Create"
      isBusy={false}
      isLoading={projects === undefined}
      canSubmit={name !== '' && projects?.length !== 0}
      onSubmit={() => onSubmit(name, projects?.[0])}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={(event) => setName(event.target.value)} />
    </SubmitDialog>
  )
}

const create = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Create' })
const name = () => screen.getByLabelText('Name')
const isBusy = () => create().getAttribute('aria-busy') === 'true'

function open() {
  const onSubmit = vi.fn()
  const { rerender } = render(<Sample onSubmit={onSubmit} />)
  const load = (...projects: string[]) => rerender(<Sample onSubmit={onSubmit} projects={projects} />)
  return { onSubmit, load, user: userEvent.setup() }
}

test.each([
  ['Enter', (user: ReturnType<typeof userEvent.setup>) => user.type(name(), '{Enter}')],
  ['a click', (user: ReturnType<typeof userEvent.setup>) => user.click(create())],
])('%s before all of it is there is kept, and sent once', async (_, press) => {
  const { onSubmit, load, user } = open()
  await user.type(name(), 'Orders')
  await press(user)
  expect(isBusy()).toBe(true)
  expect(onSubmit).not.toHaveBeenCalled()
  load('sales')
  load('sales', 'returns')
  expect(onSubmit.mock.calls).toEqual([['Orders', 'sales']])
  expect(isBusy()).toBe(false)
})

test('an edit meanwhile takes it back', async () => {
  const { onSubmit, load, user } = open()
  await user.type(name(), 'Orders{Enter}')
  await user.type(name(), ' of the shop')
  expect(isBusy()).toBe(false)
  load('sales')
  expect(onSubmit).not.toHaveBeenCalled()
  await user.type(name(), '{Enter}')
  expect(onSubmit.mock.calls).toEqual([['Orders of the shop', 'sales']])
})

test('what came may leave nothing to send', async () => {
  const { onSubmit, load, user } = open()
  await user.type(name(), 'Orders{Enter}')
  load()
  expect(onSubmit).not.toHaveBeenCalled()
  expect(isBusy()).toBe(false)
  expect(create().disabled).toBe(true)
})

test('Enter in an empty form is not kept', async () => {
  const { onSubmit, load, user } = open()
  await user.type(name(), '{Enter}')
  expect(isBusy()).toBe(false)
  load('sales')
  await user.type(name(), 'Orders')
  expect(onSubmit).not.toHaveBeenCalled()
})
