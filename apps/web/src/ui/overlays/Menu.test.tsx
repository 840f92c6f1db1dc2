import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { IconButton } from '../actions/IconButton.tsx'
import { giveSize } from '../../testing/give-size.ts'
import { Menu } from './Menu.tsx'

giveSize()

test('opens beside its button, also when that one stands in a tooltip', async () => {
  render(
    <MemoryRouter>
      <Menu
        label="Actions"
        groups={[[{ label: 'Rename' }]]}
        trigger={(props) => <IconButton {...props} label="Actions" icon={null} />}
      />
    </MemoryRouter>,
  )
  const button = screen.getByRole('button', { name: 'Actions' })
  button.getBoundingClientRect = () => new DOMRect(300, 200, 24, 24)
  await userEvent.click(button)
  const { left, top } = screen.getByRole('menu', { hidden: true }).style
  expect([left, top]).toEqual(['300px', '228px'])
})
