import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { DataTable, type Column } from './DataTable.tsx'
import { useLocalTableState } from './use-table-state.ts'

afterEach(cleanup)

interface Row {
  name: string
  size: number
}
const ROWS: Row[] = [
  { name: 'Birch', size: 2 },
  { name: 'Alder', size: 3 },
  { name: 'Cedar', size: 1 },
]
const COLUMNS: Column<Row>[] = [
  { key: 'name', title: 'Name', cell: (row) => row.name, sortBy: (row) => row.name },
  { key: 'size', title: 'Size', cell: (row) => row.size, sortBy: (row) => row.size, isNumber: true },
]

function Trees({ onOpen }: { onOpen?: (row: Row) => void }) {
  const state = useLocalTableState()
  return (
    <DataTable
      label="Trees"
      rows={ROWS}
      columns={COLUMNS}
      rowKey={(row) => row.name}
      searchText={(row) => row.name}
      state={state}
      {...(onOpen && { onOpen })}
    />
  )
}

const names = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.firstElementChild?.textContent)

test('a header sorts up, down and back, and says so', async () => {
  render(<Trees />)
  const header = screen.getByRole('button', { name: 'Name' })
  await userEvent.click(header)
  expect(names()).toEqual(['Alder', 'Birch', 'Cedar'])
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
  await userEvent.click(header)
  expect(names()).toEqual(['Cedar', 'Birch', 'Alder'])
  await userEvent.click(header)
  expect(names()).toEqual(['Birch', 'Alder', 'Cedar'])
})

test('j and k walk, Enter opens, / searches, Escape clears', async () => {
  const onOpen = vi.fn()
  render(<Trees onOpen={onOpen} />)
  await userEvent.tab()
  await userEvent.tab()
  await userEvent.tab()
  await userEvent.tab()
  await userEvent.keyboard('jk')
  await userEvent.keyboard('j{Enter}')
  expect(onOpen).toHaveBeenCalledTimes(1)
  expect(onOpen).toHaveBeenCalledWith(ROWS[1])
  await userEvent.keyboard('/ced')
  expect(names()).toEqual(['Cedar'])
  expect(screen.getByText('1 of 3')).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  expect(names()).toHaveLength(3)
})

test('a search without a hit keeps the table and says so', async () => {
  render(<Trees />)
  await userEvent.type(screen.getByRole('searchbox'), 'oak')
  expect(screen.getByText('Nothing found for “oak”.')).toBeTruthy()
})

test('a row unfolds below itself without opening, by its button and by arrow keys', async () => {
  const open = vi.fn()
  const state = { query: '', sort: null, setQuery: () => undefined, setSort: () => undefined }
  const unfold = { label: (row: Row) => `Details of ${row.name}`, content: (row: Row) => <p>{`Size ${row.size}`}</p> }
  render(
    <DataTable
      label="Trees"
      rows={ROWS}
      columns={COLUMNS}
      rowKey={(row) => row.name}
      state={state}
      onOpen={open}
      unfold={unfold}
    />,
  )
  const button = screen.getByRole('button', { name: 'Details of Birch' })
  await userEvent.click(button)
  expect(screen.getByText('Size 2')).toBeTruthy()
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(open).not.toHaveBeenCalled()
  screen.getAllByRole('row')[1]?.focus()
  await userEvent.keyboard('{ArrowLeft}')
  expect(screen.queryByText('Size 2')).toBeNull()
  await userEvent.keyboard('{ArrowRight}')
  expect(screen.getByText('Size 2')).toBeTruthy()
})
