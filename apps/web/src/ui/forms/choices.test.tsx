import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Checkbox, RadioGroup, Switch } from './Choices.tsx'

afterEach(cleanup)

test('the hint of a choice describes it and is no part of its name', () => {
  render(
    <>
      <Checkbox label="Paused" hint="Nothing starts by itself." />
      <Switch label="Raw values" hint="As they are stored." />
      <RadioGroup
        label="Sync mode"
        options={[{ value: 'full', label: 'Full refresh', hint: 'Every run reads all rows.' }]}
        value="full"
        onChange={() => undefined}
      />
    </>,
  )
  for (const [role, name, description] of [
    ['checkbox', 'Paused', 'Nothing starts by itself.'],
    ['switch', 'Raw values', 'As they are stored.'],
    ['radio', 'Full refresh', 'Every run reads all rows.'],
  ] as const)
    expect(screen.getByRole(role, { name, description })).toBeTruthy()
})
