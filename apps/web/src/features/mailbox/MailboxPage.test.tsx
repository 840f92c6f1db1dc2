import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/render-app.tsx'

test('a message shows its code, in a frame that can open links and nothing else', async () => {
  const { user } = openApp('/mailbox')
  await user.click(await screen.findByRole('link', { name: /Your activation code/ }))
  expect(await screen.findByText('048213')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Copy code' })).toBeTruthy()
  expect(screen.getByTitle('Your activation code').getAttribute('sandbox')).toBe(
    'allow-popups allow-popups-to-escape-sandbox',
  )
})

test('searching narrows the list and stands in the address', async () => {
  const { user, router } = openApp('/mailbox')
  await user.type(await screen.findByRole('searchbox', { name: 'Search messages' }), 'reset')
  await waitFor(() => expect(screen.queryByText('Your activation code')).toBeNull())
  expect(await screen.findByText('Your reset code')).toBeTruthy()
  expect(router.state.location.search).toBe('?q=reset')
})

test('an empty mailbox says what will come', async () => {
  openApp('/mailbox', { mails: [] })
  expect(await screen.findByRole('heading', { name: 'No messages yet' })).toBeTruthy()
})
