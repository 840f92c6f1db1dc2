import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { Form, FormTextField, showServerError, SubmitButton } from './Form.tsx'
import { useSchemaForm } from './schema-form.ts'

afterEach(cleanup)

const Schema = z.object({ name: z.string().check(z.minLength(2, 'Name must be at least 2 characters long')) })

function Sample({ onSubmit }: { onSubmit: (values: { name: string }) => Promise<void> | void }) {
  const form = useSchemaForm(Schema, { name: 'Ada' })
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        await onSubmit(values)
        if (values.name === 'Taken')
          showServerError(form, { detail: 'This name is taken.', source: { pointer: '/name' } })
      }}
    >
      <FormTextField name="name" label="Name" />
      <SubmitButton>Save</SubmitButton>
    </Form>
  )
}

const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })

test('nothing can be sent while the form is as it came, and Enter does not help', async () => {
  const onSubmit = vi.fn()
  render(<Sample onSubmit={onSubmit} />)
  await userEvent.type(screen.getByLabelText('Name'), '{Enter}')
  expect(save().disabled).toBe(true)
  expect(onSubmit).not.toHaveBeenCalled()
})

test('an error waits until the field is left', async () => {
  render(<Sample onSubmit={vi.fn()} />)
  const field = screen.getByLabelText('Name')
  await userEvent.clear(field)
  await userEvent.type(field, 'A')
  expect(screen.queryByRole('alert')).toBeNull()
  await waitFor(() => expect(save().disabled).toBe(true))
  await userEvent.tab()
  const alert = await screen.findByText('Name must be at least 2 characters long')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(field.getAttribute('aria-describedby')).toBe(alert.closest('[role=alert]')?.id)
})

test('a valid change is sent once, and the button rests meanwhile', async () => {
  let finish: () => void = () => undefined
  const onSubmit = vi.fn(() => new Promise<void>((done) => (finish = done)))
  render(<Sample onSubmit={onSubmit} />)
  await userEvent.type(screen.getByLabelText('Name'), ' B')
  await waitFor(() => expect(save().disabled).toBe(false))
  await userEvent.click(save())
  await waitFor(() => expect(save().disabled).toBe(true))
  await userEvent.type(screen.getByLabelText('Name'), '{Enter}')
  expect(onSubmit).toHaveBeenCalledTimes(1)
  expect(onSubmit).toHaveBeenCalledWith({ name: 'Ada B' })
  finish()
})

test("the server's complaint stands at its field", async () => {
  render(<Sample onSubmit={vi.fn()} />)
  await userEvent.clear(screen.getByLabelText('Name'))
  await userEvent.type(screen.getByLabelText('Name'), 'Taken{Enter}')
  expect(await screen.findByText('This name is taken.')).toBeTruthy()
})
