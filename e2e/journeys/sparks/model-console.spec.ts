import { startScriptedModel } from '../../harness/model.ts'
import { signIn } from '../../harness/people.ts'
import { giveProject } from '../../harness/sparks.ts'
import { expect, test } from '../../harness/test.ts'

const PROMPT = 'Say hello'

test('a prompt is sent to two models side by side, with tools, tokens, times and cost', async ({
  page,
  person,
  request,
}) => {
  const isPrompt = (asked: object) => JSON.stringify(asked).includes(PROMPT)
  const model = await startScriptedModel((modelRequest) => {
    if (!isPrompt(modelRequest)) return { text: 'ok' }
    const text = `Hello from ${modelRequest.model}`
    return modelRequest.model === 'small'
      ? { text }
      : { text, calls: [{ name: 'look_up', arguments: '{"word":"hello"}' }] }
  })
  try {
    const givenProject = await giveProject(request, person)
    await signIn(page, person, `/${givenProject.account}/settings?tab=model`)
    await page.getByLabel('Protocol').selectOption('openai')
    await page.getByLabel('Base URL').fill(model.baseUrl)
    await page.getByLabel('Model', { exact: true }).fill('small')
    await page.getByRole('button', { name: 'Test and save' }).click()
    await expect(page.getByText('The model answered and is saved.')).toBeVisible()
    await page.goto(`/${givenProject.account}/shop/sandbox/ai-core`)
    await expect(page.getByLabel('Model', { exact: true })).toHaveValue('small')
    await page.getByLabel('Prompt', { exact: true }).fill(PROMPT)
    await page.getByLabel(/^Tools/).fill('[{"name": "look_up", "description": "Looks up a word"}]')
    await page.getByLabel(/^Compare with/).fill('large')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const small = page.getByRole('region', { name: 'small' })
    const large = page.getByRole('region', { name: 'large' })
    await expect(small.getByText('Hello from small')).toBeVisible()
    await expect(large.getByText('Hello from large')).toBeVisible()
    await expect(large.getByText('look_up({"word":"hello"})')).toBeVisible()
    for (const [name, value] of [
      ['Tokens in', '11'],
      ['Tokens out', '7'],
      ['Cost', /credit/],
      ['Time', /\d/],
    ] as const) {
      await expect(
        large
          .locator('div')
          .filter({ has: page.getByText(name, { exact: true }) })
          .last(),
      ).toContainText(value)
    }
    const models = model.asked
      .filter((modelRequest) => isPrompt(modelRequest))
      .map((modelRequest) => modelRequest.model)
    expect(models.toSorted()).toEqual(['large', 'small'])
  } finally {
    await model.stop()
  }
})
