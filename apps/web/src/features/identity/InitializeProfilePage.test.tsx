import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { readAccounts, readProfile, readWorkspaces } from '../../app/session/stored-data.ts'
import { openApp } from '../../testing/render-app.tsx'

function forget() {
  for (const key of ['profile', 'accounts', 'workspaces']) localStorage.removeItem(`trellis.${key}`)
}

test('loads and keeps profile, accounts and workspaces, then goes on', async () => {
  const { router } = openApp('/initialize-profile?next=%2Fprofile%2Fsettings')
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/settings'))
  expect([readProfile().ok, readAccounts().ok, readWorkspaces().ok]).toEqual([true, true, true])
})

test('without a wish, or with one that leads away, it goes to the workspaces', async () => {
  const { router } = openApp('/initialize-profile?next=https%3A%2F%2Fexample.com')
  await waitFor(() => expect(router.state.location.pathname).toBe('/workspaces'))
})

test('a failure offers to try again', async () => {
  const { user, world, router } = openApp('/initialize-profile', { broken: new Set(['listAccounts']) })
  forget()
  expect(await screen.findByRole('heading', { name: 'Oops! Something went wrong' })).toBeTruthy()
  expect(readProfile().ok).toBe(false)
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/workspaces'))
})
