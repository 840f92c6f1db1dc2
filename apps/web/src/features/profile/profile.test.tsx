import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { RECOVERY_CODES, RIGHT_CODE } from '../../testing/fake-world.ts'
import { openApp } from '../../testing/render-app.tsx'

test('name and theme are saved and kept in the browser', async () => {
  const { user, world } = openApp('/profile/settings')
  const first = await screen.findByLabelText('First name')
  await user.clear(first)
  await user.type(first, 'Augusta')
  await user.selectOptions(screen.getByLabelText('Theme'), 'dark')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText('Changes successfully saved.')).toBeTruthy()
  expect(world.profile).toMatchObject({ first_name: 'Augusta', preferences: { themeMode: 'dark' } })
  expect(localStorage.getItem('trellis.profile')).toContain('Augusta')
  expect(document.documentElement.dataset['theme']).toBe('dark')
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' }).disabled).toBe(true),
  )
})

test('the e-mail is only to be read', async () => {
  openApp('/profile/settings')
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).readOnly).toBe(true)
})

async function fillPassword(user: ReturnType<typeof openApp>['user'], current: string, confirm = 'Better-horse-2') {
  await user.type(await screen.findByLabelText('Current password'), current)
  await user.type(screen.getByLabelText('New password'), 'Better-horse-2')
  await user.type(screen.getByLabelText('Confirm new password'), confirm)
  await user.tab()
}

test('tokens stay when the password changes, unless they are revoked with it', async () => {
  const { user, world } = openApp('/profile/password')
  await fillPassword(user, 'Correct-horse-1')
  await user.click(await screen.findByLabelText(/^Also revoke my (\d+ )?personal access tokens?/))
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  expect(await screen.findByText('Changes successfully saved.')).toBeTruthy()
  expect(world.company.tokens).toEqual([])
})

test('a wrong current password is told at its field', async () => {
  const { user, world } = openApp('/profile/password')
  await fillPassword(user, 'wrong')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  const field = screen.getByLabelText('Current password')
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  expect(world.password).toBe('Correct-horse-1')
})

test('the right one changes it and empties the form', async () => {
  const { user, world } = openApp('/profile/password')
  await fillPassword(user, 'Correct-horse-1')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  await waitFor(() => expect(world.password).toBe('Better-horse-2'))
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Current password').value).toBe(''))
})

test('two different new passwords cannot be sent', async () => {
  const { user } = openApp('/profile/password')
  await fillPassword(user, 'Correct-horse-1', 'Better-horse-3')
  expect(await screen.findByText('Passwords do not match')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Change password' }).disabled).toBe(true)
})

test('two-factor sign-in is turned on with a code and shows the recovery codes once', async () => {
  const { user, world } = openApp('/profile/security')
  await user.click(await screen.findByRole('button', { name: 'Set up…' }))
  expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeTruthy()
  await user.type(screen.getByLabelText('Your password'), 'Correct-Horse-7')
  const field = screen.getByLabelText('Code from the app')
  await user.type(field, '000000{Enter}')
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  await user.clear(field)
  await user.type(field, `${RIGHT_CODE}{Enter}`)
  const list = await screen.findByRole('list', { name: 'Recovery codes' })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(RECOVERY_CODES)
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('list', { name: 'Recovery codes' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'I have saved them' }))
  expect(world.secondFactor.enabled).toBe(true)
  expect(await screen.findByText('8 recovery codes left.')).toBeTruthy()
})

test('new recovery codes are made without turning it off', async () => {
  const { user, world } = openApp('/profile/security', { secondFactor: { enabled: true, recovery_codes_left: 1 } })
  expect(await screen.findByText('1 recovery code left. Make new ones before they run out.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'New recovery codes…' }))
  await user.type(screen.getByLabelText('Password'), 'Correct-horse-1')
  const code = screen.getByLabelText('Code from the app, or a recovery code')
  await user.type(code, '000000{Enter}')
  await waitFor(() => expect(code.getAttribute('aria-invalid')).toBe('true'))
  await user.clear(code)
  await user.type(code, `${RIGHT_CODE}{Enter}`)
  const list = await screen.findByRole('list', { name: 'Recovery codes' })
  expect(within(list).getAllByRole('listitem')).toHaveLength(RECOVERY_CODES.length)
  await user.click(screen.getByRole('button', { name: 'I have saved them' }))
  expect(await screen.findByText('8 recovery codes left.')).toBeTruthy()
  expect(world.secondFactor.enabled).toBe(true)
})

test('turning it off asks for password and code', async () => {
  const { user, world } = openApp('/profile/security', { secondFactor: { enabled: true, recovery_codes_left: 8 } })
  await user.click(await screen.findByRole('button', { name: 'Turn off…' }))
  await user.type(screen.getByLabelText('Password'), 'wrong')
  await user.type(screen.getByLabelText('Code from the app, or a recovery code'), `${RIGHT_CODE}{Enter}`)
  await waitFor(() => expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true'))
  await user.clear(screen.getByLabelText('Password'))
  await user.type(screen.getByLabelText('Password'), 'Correct-horse-1{Enter}')
  await waitFor(() => expect(world.secondFactor.enabled).toBe(false))
})

test('another session can be signed out, this one cannot', async () => {
  const { user, world } = openApp('/profile/security')
  await user.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }))
  await waitFor(() => expect(world.sessions).toHaveLength(1))
  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
  expect(screen.queryByRole('button', { name: 'Sign out Chromium on Linux' })).toBeNull()
})

test('signing out everywhere asks first and leaves', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const { user, world } = openApp('/profile/security')
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere…' }))
  expect(world.isSignedIn).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
  expect(world.sessions).toEqual([])
  assign.mockRestore()
  // A page is left once per load: each test imports the module anew.
  vi.resetModules()
})
