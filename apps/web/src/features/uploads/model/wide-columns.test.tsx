import type { DataModel, FileModel } from '@trellis/contract/uploads/uploads.schemas'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { uploadFile } from '../../../testing/fake-uploads.ts'
import { MappingGrid } from './MappingGrid.tsx'
import { findModelProblems } from './model-draft.ts'
import { ModelGrid } from './ModelGrid.tsx'

const COLUMNS = 1600
const names = Array.from({ length: COLUMNS }, (_, at) => `c${at}`)
const wide: DataModel = {
  columns: names.map((name, source) => ({
    source,
    header: name,
    name,
    type: 'integer',
    is_nullable: true,
    is_skipped: false,
  })),
  primary_keys: [],
  indexes: {},
}
const fileModel: FileModel = {
  file: uploadFile(),
  data_model: wide,
  columns: names.map((header) => ({ header, fitting_types: ['integer', 'text'], empty_values: 0, longest: 1 })),
  sample: [names.map(() => '1')],
  profiled_rows: 1,
  sheets: [],
  table_columns: names.map((name) => ({ name, type: 'bigint', is_nullable: true, is_primary_key: false })),
  warnings: [],
  reasons: [],
  second_readings: [],
}

function Model() {
  const [model, setModel] = useState(wide)
  return (
    <>
      <ModelGrid fileModel={fileModel} model={model} problems={findModelProblems(model)} onChange={setModel} />
      <output>{model.columns.filter(({ type }) => type === 'text').length}</output>
    </>
  )
}

test('of 1,600 columns some are drawn; the others are found by name, and all become text at once', () => {
  render(<Model />)
  expect(screen.getAllByRole('row')).toHaveLength(101)
  screen.getByText('1,500 columns not shown. They are loaded like the others.')
  fireEvent.click(screen.getByRole('button', { name: 'Show 100 more' }))
  expect(screen.getAllByRole('row')).toHaveLength(201)
  fireEvent.change(screen.getByLabelText('Find a column'), { target: { value: 'C1599' } })
  expect(screen.getAllByRole('row')).toHaveLength(2)
  fireEvent.click(screen.getByRole('button', { name: 'All to text' }))
  expect(screen.getByLabelText<HTMLSelectElement>('Type of c1599').value).toBe('text')
  expect(screen.getByRole('status').textContent).toBe('1600')
})

test('a column with a problem is shown wherever it is', () => {
  render(<Model />)
  fireEvent.change(screen.getByLabelText('Find a column'), { target: { value: 'c1599' } })
  fireEvent.change(screen.getByLabelText('Column name for c1599'), { target: { value: 'c0' } })
  fireEvent.change(screen.getByLabelText('Find a column'), { target: { value: '' } })
  expect(screen.getByRole('alert').textContent).toBe('Another column has this name')
  screen.getByLabelText('Column name for c1599')
})

test('columns for a wide table: each line offers its own and those that nothing fills', () => {
  render(<MappingGrid fileModel={fileModel} model={wide} onChange={() => undefined} />)
  expect(screen.getAllByRole('row')).toHaveLength(101)
  const choice = screen.getByLabelText<HTMLSelectElement>('Column for c7')
  expect(choice.value).toBe('c7')
  expect([...choice.options].map(({ value }) => value)).toEqual(['', 'c7'])
})
