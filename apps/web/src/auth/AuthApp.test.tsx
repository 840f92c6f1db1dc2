import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startLocalServer } from '../api/local-server.ts'
import type { Answer, SeenRequest } from '../api/local-server.ts'
import { findToken } from '../api/token-store.ts'
import { storeNotice, consumeNotice, consumeSignedUp } from '../app/session/handover.ts'
import { recordActivity } from '../app/session/idle.ts'
import { profile } from '../app/session/session-samples.ts'
import { storeProfile } from '../app/session/stored-data.ts'
import { AuthApp } from './AuthApp.tsx'
import { navigate } from './auth-location.ts'

const token: Answer = { body: { data: { access_token: 'tok', token_type: 'Bearer', expires_in: 600 } } }
const refusal = (status: number, code: string, detail: string): Answer => ({
  status,
  body: { errors: [{ status: String(status), code, title: code, detail }] },
})

let server: Awaited<ReturnType<typeof startLocalServer>>
let answers: Record<string, (body: Record<string, string>) => Answer>
const user = userEvent.setup()
const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined)

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  answers = {}
  server = await startLocalServer((request: SeenRequest) =>
    (answers[request.url] ?? (() => ({})))(request.body ? (JSON.parse(request.body) as Record<string, string>) : {}),
  )
})
afterEach(async () => {
  cleanup()
  document.head.innerHTML = ''
  vi.clearAllMocks()
  await server.stop()
})

function open(path: string, state: unknown = null) {
  navigate(path, { state })
  render(<AuthApp />)
}
const enter = (label: string, value: string) => fireEvent.input(field(label), { target: { value } })
const field = (label: string) => screen.getByLabelText(label)
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

test('login: what is submitted before the schemas have arrived waits for them', async () => {
  answers['/auth/login'] = () => token
  open('/login')
  enter('Email', 'ada@')
  expect(button('Sign in').disabled).toBe(true)
  enter('Password', 'Secret-123')
  expect(button('Sign in').disabled).toBe(false)
  fireEvent.click(button('Sign in'))
  expect(button('Sign in').disabled).toBe(true)
  expect(await screen.findByText('Email is not valid')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(field('Email')))
  expect(server.seen).toHaveLength(0)
  enter('Email', 'ada@example.com')
  fireEvent.click(button('Sign in'))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/initialize-profile'))
})

test('login: errors after touch, submit only when valid, token stored, next kept', async () => {
  answers['/auth/login'] = () => token
  open('/login?next=/acme/main/dashboard')
  expect(button('Sign in').disabled).toBe(true)
  await user.type(field('Email'), 'ada@')
  expect(screen.queryByText('Email is not valid')).toBeNull()
  await user.type(field('Password'), 'Secret-123')
  expect(screen.getByText('Email is not valid')).toBeTruthy()
  expect(field('Email').getAttribute('aria-invalid')).toBe('true')
  expect(button('Sign in').disabled).toBe(true)
  await user.type(field('Email'), 'example.com')
  await user.type(field('Password'), '{Enter}')
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/initialize-profile?next=%2Facme%2Fmain%2Fdashboard'))
  expect(findToken()).toEqual({ access_token: 'tok', email: 'ada@example.com' })
})

test('login: a failure is a toast with the detail of the server', async () => {
  answers['/auth/login'] = () => refusal(401, 'credentials_wrong', 'The e-mail or password is not right.')
  open('/login')
  await user.type(field('Email'), 'ada@example.com')
  await user.type(field('Password'), 'nope{Enter}')
  expect(await screen.findByText('An error occurred during login. The e-mail or password is not right.')).toBeTruthy()
  expect(findToken()).toBeNull()
})

test('login: the second factor is asked for when the server wants it', async () => {
  answers['/auth/login'] = ({ second_factor: code }) => {
    if (code === undefined) return refusal(401, 'second_factor_required', 'Enter a code.')
    return code === '123456' ? token : refusal(401, 'second_factor_wrong', 'That code is not right.')
  }
  open('/login')
  await user.type(field('Email'), 'ada@example.com')
  await user.type(field('Password'), 'Secret-123{Enter}')
  await user.type(await screen.findByLabelText('Authenticator code'), '000000{Enter}')
  expect(await screen.findByText('That code is not right.')).toBeTruthy()
  await user.clear(field('Authenticator code'))
  await user.type(field('Authenticator code'), '123456{Enter}')
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/initialize-profile'))
})

test('a stored profile goes on at once, unless a notice is to be read', async () => {
  storeProfile(profile)
  open('/login')
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/initialize-profile'))
  cleanup()
  replace.mockClear()
  storeNotice({ tone: 'error', text: 'Authentication Issue. Please login again.' })
  open('/')
  expect(await screen.findByText('Authentication Issue. Please login again.')).toBeTruthy()
  act(() => navigate('/login'))
  expect(replace).not.toHaveBeenCalled()
})

test('sign up, confirm with the code, signed in', async () => {
  answers['/auth/login'] = () => token
  answers['/auth/signup/confirm'] = ({ code }) =>
    code === '123456' ? {} : refusal(422, 'code_wrong', 'The code is not right or has expired.')
  open('/signup?email=ada@example.com')
  expect(screen.getByText('You have been invited')).toBeTruthy()
  await user.type(field('First name'), 'Ada')
  await user.type(field('Last name'), 'Lovelace')
  await user.type(field('Password'), 'Secret-123')
  await user.type(field('Confirm password'), 'Secret-12')
  expect(button('Register').disabled).toBe(true)
  await user.type(field('Confirm password'), '3')
  await user.click(button('Register'))
  await user.type(await screen.findByLabelText('Code'), '99 99-99')
  await user.click(button('Submit'))
  expect(await screen.findByText('An error occurred during login. Please try again.')).toBeTruthy()
  expect(screen.getAllByText(/The code is not right or has expired/)).toHaveLength(1)
  expect(document.activeElement).toBe(field('Code'))
  await user.clear(field('Code'))
  await user.type(field('Code'), '123456{Enter}')
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/initialize-profile'))
  expect(screen.getByText('Account activated successfully.')).toBeTruthy()
  expect(JSON.parse(server.of('/auth/login')[0]?.body ?? '')).toEqual({
    email: 'ada@example.com',
    password: 'Secret-123',
  })
  expect(consumeSignedUp()).toBe(true)
  expect(consumeNotice()?.text).toBe('Account activated successfully.')
  expect(history.state).toBeNull()
})

test('activation without a password passed on leads to login', async () => {
  open('/activate?email=ada@example.com&code=123456')
  await user.click(button('Submit'))
  expect(await screen.findByRole('heading', { name: 'Sign in to your workspace' })).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.com')
  expect(screen.getByText('Your account is active. Sign in.')).toBeTruthy()
  expect(server.of('/auth/login')).toHaveLength(0)
})

test('forgot and reset', async () => {
  answers['/auth/forgot-password'] = ({ confirmation_code: code }) =>
    code === undefined || code === '123456' ? {} : refusal(422, 'code_wrong', 'Ask for a new code.')
  open('/forgot-password')
  await user.type(field('Email'), 'ada@example.com{Enter}')
  expect(await screen.findByText('Reset code sent')).toBeTruthy()
  await user.type(field('Reset code'), '111111')
  await user.type(field('New password'), 'Secret-123')
  await user.type(field('Confirm password'), 'Secret-123{Enter}')
  expect(await screen.findByText('Oops! Something went wrong, try again.')).toBeTruthy()
  expect(screen.getByText('Ask for a new code.')).toBeTruthy()
  await user.clear(field('Reset code'))
  await user.type(field('Reset code'), '123456{Enter}')
  expect(await screen.findByRole('heading', { name: 'Sign in to your workspace' })).toBeTruthy()
})

test('reset without an e-mail goes to forgot password', async () => {
  open('/reset')
  expect(await screen.findByRole('heading', { name: 'Forgot password' })).toBeTruthy()
  expect(location.pathname).toBe('/forgot-password')
})

test('single sign-on is offered only where it is set up', async () => {
  open('/login')
  expect(screen.queryByText(/^Continue with/)).toBeNull()
  cleanup()
  document.head.innerHTML = '<meta name="trellis-sso" content="Acme ID">'
  answers['/auth/sso/start'] = () => ({ body: { data: { url: 'https://id.example/authorize' } } })
  open('/login?next=/workspaces')
  await user.click(await screen.findByRole('button', { name: 'Continue with Acme ID' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://id.example/authorize'))
  expect(sessionStorage.getItem('trellis.next')).toBe('/workspaces')
})

test.each([
  ['/signup', '/initialize-profile'],
  ['/signup?invited=1&email=ada%40example.com', '/initialize-profile?next=%2Fprofile%2Finvites'],
  ['/activate', '/initialize-profile'],
])('%s leads a signed-in person on', async (path, to) => {
  storeProfile(profile)
  recordActivity()
  open(path)
  await waitFor(() => expect(replace).toHaveBeenCalledWith(to))
})

test('login: the link of an invite fills the address in', async () => {
  open('/login?next=/profile/invites&email=ada%40example.com')
  expect((field('Email') as HTMLInputElement).value).toBe('ada@example.com')
})

test('login: a profile that waits for its activation is led there, with the way to a new code', async () => {
  answers['/auth/login'] = () => refusal(401, 'activation_required', 'Your profile is not activated yet.')
  answers['/auth/signup/resend-code'] = () => ({ body: { data: { done: true } } })
  open('/login')
  await user.type(field('Email'), 'ada@example.com')
  await user.type(field('Password'), 'Secret-123{Enter}')
  expect(await screen.findByRole('heading', { name: 'Account confirmation' })).toBeTruthy()
  expect((field('Email') as HTMLInputElement).value).toBe('ada@example.com')
  await waitFor(() => expect(button('Send a new code').disabled).toBe(false))
  await user.click(button('Send a new code'))
  expect(await screen.findByText('A new code is on its way.')).toBeTruthy()
})
