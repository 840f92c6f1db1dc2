import { signIn } from '../../harness/people.ts'
import { answered, expect, test } from '../../harness/test.ts'

test('sign up: nothing is said before a field was left, then every rule by its words', async ({ page }) => {
  await page.goto('/signup')
  const register = page.getByRole('button', { name: 'Register' })
  const alerts = page.getByRole('alert')
  const say = async (label: string, value: string, text: string) => {
    const field = page.getByLabel(label, { exact: true })
    await field.fill(value)
    await field.blur()
    await expect(alerts.getByText(text, { exact: true })).toBeVisible()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(register).toBeDisabled()
  }
  await expect(register).toBeDisabled()
  await expect(alerts).toHaveCount(0)
  await page.getByLabel('Email', { exact: true }).pressSequentially('ada@')
  await expect(alerts.getByText('Email is not valid')).toHaveCount(0)

  await say('First name', 'A', 'First name must be at least 2 characters long')
  await say('First name', 'A'.repeat(101), 'First name must be at most 100 characters long')
  await say('Last name', 'B'.repeat(101), 'Last name must be at most 100 characters long')
  await say('Email', '', 'Email is required')
  await say('Email', 'ada@', 'Email is not valid')
  await say(
    'Password',
    'alllowercase',
    'Password must contain at least a capital letter, a number and a special character',
  )
  await say('Confirm password', 'Something-Else-1', 'Passwords do not match')

  await page.getByLabel('First name', { exact: true }).fill('Ada')
  await page.getByLabel('Last name', { exact: true }).fill('Lovelace')
  await page.getByLabel('Email', { exact: true }).fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('Correct-Horse-7')
  await expect(register).toBeDisabled()
  await page.getByLabel('Confirm password', { exact: true }).fill('Correct-Horse-7')
  await expect(register).toBeEnabled()
  await expect(alerts).toHaveCount(0)
})

test('sign up: the password rule is said in full, and each part is ticked off', async ({ page }) => {
  await page.goto('/signup')
  const rule = 'at least 8 characters with a capital letter, a number and a special character'
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(new RegExp(rule))
  const rules = page.getByRole('list', { name: rule })
  await expect(rules.getByText('done')).toHaveCount(0)
  await page.getByLabel('Password', { exact: true }).fill('Correct-Horse-7')
  await expect(rules.getByText('done')).toHaveCount(4)
})

test('sign up: an invited person is told which address to use', async ({ page }) => {
  await page.goto('/signup?invited=1&email=invited%40example.com')
  await expect(page.getByText('You have been invited')).toBeVisible()
  await expect(page.getByText('Sign up with the email address your invite was sent to')).toBeVisible()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('invited@example.com')
})

test('profile: saving waits for a change, and takes it back when it is undone', async ({ page, person }) => {
  await signIn(page, person, '/profile/settings')
  const save = page.getByRole('button', { name: 'Save changes' })
  const name = page.getByLabel('First name', { exact: true })
  await expect(save).toBeDisabled()
  await name.fill('Augusta')
  await expect(save).toBeEnabled()
  await name.fill('Ada')
  await expect(save).toBeDisabled()
  await name.fill('A')
  await expect(page.getByText('First name must be at least 2 characters long')).toHaveCount(0)
  await name.blur()
  await expect(page.getByText('First name must be at least 2 characters long', { exact: true })).toBeVisible()
  await expect(save).toBeDisabled()
  await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('readonly')
})

test.describe('profile', () => {
  test.use({ expectedErrors: answered(400) })

  test('the theme is required', async ({ page, person }) => {
    await signIn(page, person)
    const answer = await page.evaluate(async () => {
      const { access_token } = JSON.parse(localStorage.getItem('trellis.token') ?? '{}') as { access_token: string }
      const response = await fetch('/api/profile-token', {
        method: 'PATCH',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ preferences: { themeMode: '' } }),
      })
      return (await response.json()) as { errors: { detail: string }[] }
    })
    expect(answer.errors[0]?.detail).toContain('This field is required')
  })
})
