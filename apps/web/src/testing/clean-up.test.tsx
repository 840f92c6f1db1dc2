import { render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'

test.each([
  ['a query', () => screen.findByText('Nowhere', {}, { timeout: 1 })],
  ['a condition', () => waitFor(() => screen.getByRole('button'), { timeout: 1 })],
])('%s that was waited for in vain shows the page', async (_, look) => {
  render(<p>Somewhere else</p>)
  const failure = await look().catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'TestingLibraryElementError' })
  expect(String(failure)).toContain('Somewhere else')
})
