import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { FieldError } from './Field.tsx'
import { TextField } from './TextField.tsx'

afterEach(cleanup)

/** A message inside a field, and one whose place is drawn only when there is one. */
function Sample() {
  const [isTouched, setTouched] = useState(false)
  return (
    <>
      <TextField label="Name" error={isTouched ? 'Field required' : undefined} onBlur={() => setTouched(true)} />
      {isTouched && <FieldError text="Choose a day" />}
      <button type="button">Below</button>
    </>
  )
}

const messages = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
const BOTH = ['Field required', 'Choose a day']

test.each([
  ['a mouse', ['pointerDown', 'mouseDown'], ['pointerUp', 'mouseUp']],
  ['a finger, whose mouse events come after it', ['pointerDown', 'pointerUp', 'mouseDown'], ['mouseUp']],
] as const)('what leaving a field has to say waits for the release of %s', async (_what, press, release) => {
  render(<Sample />)
  const below = screen.getByRole('button', { name: 'Below' })
  for (const type of press) fireEvent[type](below)
  fireEvent.blur(screen.getByLabelText('Name'))
  expect(messages()).toEqual([])
  for (const type of release) fireEvent[type](below)
  fireEvent.click(below)
  expect(messages()).toEqual([])
  expect((await screen.findAllByRole('alert')).map(({ textContent }) => textContent)).toEqual(BOTH)
})

test('without a press it is said at once', () => {
  render(<Sample />)
  fireEvent.blur(screen.getByLabelText('Name'))
  expect(messages()).toEqual(BOTH)
})

test.each([
  ['a key', () => fireEvent.keyDown(window, { key: 'a' })],
  ['a choice', () => fireEvent.input(screen.getByLabelText('Name'), { target: { value: '' } })],
  ['another window', () => fireEvent.blur(window)],
  ['a pointer with no button down', () => fireEvent.pointerMove(window, { buttons: 0 })],
])('a release that never comes is made up for by %s', async (_what, act) => {
  render(<Sample />)
  fireEvent.pointerDown(screen.getByLabelText('Name'))
  fireEvent.blur(screen.getByLabelText('Name'))
  expect(messages()).toEqual([])
  act()
  expect((await screen.findAllByRole('alert')).map(({ textContent }) => textContent)).toEqual(BOTH)
})
