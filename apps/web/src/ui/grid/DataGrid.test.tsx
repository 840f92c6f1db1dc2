import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { giveSize } from '../../testing/give-size.ts'
import { DataGrid } from './DataGrid.tsx'

giveSize()

test('a focused cell that is scrolled out of view is not named as the active one', async () => {
  render(
    <DataGrid
      label="Readings"
      columns={[{ key: 'at', title: 'At' }]}
      rowCount={10_000}
      cellAt={(row) => ({ text: String(row), isCut: false })}
      sort={null}
      onSort={() => undefined}
      onOpen={() => undefined}
      empty="No readings"
    />,
  )
  const grid = screen.getByRole('grid', { name: 'Readings' })
  const active = () => grid.getAttribute('aria-activedescendant')
  expect(document.getElementById(active() ?? '')?.textContent).toBe('0')
  grid.scrollTop = 200_000
  fireEvent.scroll(grid)
  await waitFor(() => expect(screen.queryByRole('gridcell', { name: '0' })).toBeNull())
  expect(active()).toBeNull()
})
