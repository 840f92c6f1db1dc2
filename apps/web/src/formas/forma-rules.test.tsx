import { isFormaComplete } from '@trellis/contract/formas/forma-rules'
import { toSampleForma } from '@trellis/contract/formas/sample-data'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { element, forma, platformFormas, section } from '../testing/fake-formas.ts'
import { getInitialValues, buildSampleValues, toSubmittedValues } from './forma-start.ts'
import { withInputsSection } from './manifest-inputs.ts'
import { showForma } from './testing/show-forma.tsx'

const { postgresql, google_ads } = platformFormas()
if (!postgresql || !google_ads) throw new Error('The fake has no such platform')

const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' })

test('errors come after touch; nothing can be sent while it is pristine or incomplete', async () => {
  const { user } = showForma(postgresql)
  expect(send().disabled).toBe(true)
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(screen.getByLabelText('Host'))
  await user.tab()
  expect(screen.getByRole('alert').textContent).toBe('Required field')
  await user.type(screen.getByLabelText('Host'), 'db.example.com')
  expect(screen.queryByRole('alert')).toBeNull()
  await user.type(screen.getByLabelText('Database'), 'shop')
  await user.type(screen.getByLabelText('User'), 'reader')
  expect(send().disabled).toBe(true)
  await user.type(screen.getByLabelText('Password'), 'hush')
  expect(send().disabled).toBe(false)
})

test('an element is there only while another one calls for it, and then it counts', async () => {
  const filled = { server: { host: 'a', database: 'b' }, login: { user: 'c', password: 'd' } }
  const { user } = showForma(postgresql, { kept: { kept: filled } })
  await user.type(screen.getByLabelText('Host'), 'x')
  expect(send().disabled).toBe(false)
  expect(screen.queryByLabelText('Certificate')).toBeNull()
  await user.selectOptions(screen.getByLabelText('Encryption'), 'verify')
  expect(screen.getByLabelText('Certificate')).toBeTruthy()
  expect(send().disabled).toBe(true)
  await user.selectOptions(screen.getByLabelText('Encryption'), 'require')
  expect(send().disabled).toBe(false)
})

test('a kept secret is never shown, can be replaced, and the replacing can be called off', async () => {
  const filled = { server: { host: 'a', database: 'b' }, login: { user: 'c' } }
  const { user, values } = showForma(postgresql, { kept: { kept: filled, secretsSet: ['login.password'] } })
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('Kept, never shown')
  expect(send().disabled).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Replace' }))
  await user.tab()
  expect(send().disabled).toBe(true)
  await user.type(screen.getByLabelText('Password'), 'new')
  expect(send().disabled).toBe(false)
  expect(values()['login']).toEqual({ user: 'c', password: 'new' })
  await user.click(screen.getByRole('button', { name: 'Keep the old one' }))
  expect(values()['login']).toEqual({ user: 'c' })
  expect(send().disabled).toBe(true)
})

test('what begins a form are the kept values over the defaults, and the date among dimensions', () => {
  expect(getInitialValues(postgresql, { server: { host: 'kept' } })['server']).toEqual({
    host: 'kept',
    port: 5432,
    tls: 'require',
  })
  const analytics = forma('ga', [section('what', [element('dimensions', 'dimensions')])])
  expect(getInitialValues(analytics)).toEqual({ what: { dimensions: [{ dimension: 'date', actionEvent: '' }] } })
})

test('what was emptied is not sent', () => {
  expect(toSubmittedValues({ a: { kept: 'x', gone: '', none: null, no: false, zero: 0 } })).toEqual({
    a: { kept: 'x', no: false, zero: 0 },
  })
})

test('sample data fills what is empty with examples that fit, and leaves the rest alone', () => {
  const values = buildSampleValues(google_ads, { app: { client_id: 'mine' }, account: {}, token: {} }, '2026-11-15')
  expect(values['app']).toEqual({ client_id: 'mine', client_secret: 'sample' })
  expect(values['account']).toEqual({ customer_id: '123-456-7890' })
  expect(values['token']).toEqual({})
})

test('a form of sample data never waits for a secret that it does not show', () => {
  const token = { ...element('secret', 'access_token'), properties: { placeholder: 'pat-…', min_length: 8 } }
  const sample = toSampleForma(forma('crm', [section('account', [token as never])]))
  expect(sample.sections.map(({ elements, is_required }) => [elements.length, is_required])).toEqual([[0, false]])
  expect(isFormaComplete(sample, buildSampleValues(sample, {}, '2026-11-15'), { today: '2026-11-15' })).toBe(true)
})

test('a source that was built asks for its inputs in a section of their own', () => {
  const rest = forma('rest', [section('source', [element('rest_manifest', 'manifest')])])
  const inputs = [
    { reference: 'api_key', label: 'API key', is_secret: true },
    { reference: '', label: 'not named yet', is_secret: false },
  ]
  const asked = withInputsSection(rest, { source: { manifest: { inputs } } })
  expect(asked.sections.at(-1)).toMatchObject({
    reference: 'inputs',
    is_required: true,
    elements: [{ reference: 'api_key', type: 'secret', label: 'API key' }],
  })
  expect(withInputsSection(asked, { source: { manifest: { inputs: [] } } }).sections).toHaveLength(1)
  expect(withInputsSection(postgresql, {})).toBe(postgresql)
})
