import type { Page } from '@playwright/test'
import { startScriptedModel } from '../../harness/model.ts'
import { signIn } from '../../harness/people.ts'
import { giveProject, type GivenProject } from '../../harness/sparks.ts'
import { answered, expect, test } from '../../harness/test.ts'

const NAME = 'Revenue by status'
const PROMPT = 'Revenue by status, with a filter for the status'
const NONSENSE = 'Something that no table has'

// The prompt the model cannot answer.
test.use({ expectedErrors: answered(422) })

const toContent = ({ database }: GivenProject, column: string) => ({
  sources: [
    {
      key: 'revenue',
      name: 'Revenue',
      integration_trellis_code: database,
      sql: `select status, sum(${column}) as revenue from shop.orders where (:status::text is null or status = :status) group by 1 order by 1`,
    },
    {
      key: 'statuses',
      name: 'Statuses',
      integration_trellis_code: database,
      sql: 'select distinct status from shop.orders order by 1',
    },
  ],
  parameters: [{ key: 'status', label: 'Status', type: 'text', options_from: 'statuses' }],
  body: {
    kind: 'blocks',
    blocks: [
      { kind: 'filters' },
      {
        kind: 'chart',
        source: 'revenue',
        title: 'Revenue',
        chart: { kind: 'bar', x: 'status', y: [{ column: 'revenue', aggregate: 'sum' }] },
      },
      { kind: 'table', source: 'revenue', title: 'Rows' },
    ],
  },
})

async function describe(page: Page, prompt: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(NAME)
  await page.getByLabel('What should it show?').fill(prompt)
  await page.getByRole('button', { name: 'Create spark' }).click()
}

test('a connected model makes a spark of a prompt, corrects a wrong query and sees no row', async ({
  page,
  person,
  request,
}) => {
  const givenProject = await giveProject(request, person)
  const model = await startScriptedModel(({ messages }) => {
    const said = JSON.stringify(messages)
    if (said.includes(NONSENSE)) return { text: 'I can not do that.' }
    if (!said.includes(PROMPT)) return { text: 'ok' }
    const isCorrection = said.includes("This can't be used")
    return {
      text: `\`\`\`json\n${JSON.stringify(toContent(givenProject, isCorrection ? 'amount' : 'turnover'))}\n\`\`\``,
    }
  })
  try {
    await signIn(page, person, `${givenProject.sparks}/new?from=prompt`)
    await expect(page.getByText('No model is connected')).toBeVisible()
    await page.goto(`/${givenProject.account}/settings?tab=model`)
    await page.getByLabel('Protocol').selectOption('openai')
    await page.getByLabel('Base URL').fill(model.baseUrl)
    await page.getByLabel('Model', { exact: true }).fill('scripted')
    await page.getByRole('button', { name: 'Test and save' }).click()
    await expect(page.getByText('The model answered and is saved.')).toBeVisible()

    await test.step('one that writes nothing usable is told as such, and the prompt stays', async () => {
      await page.goto(`${givenProject.sparks}/new?from=prompt`)
      await describe(page, NONSENSE)
      await expect(page.getByText(/The model did not write a spark that works/)).toBeVisible()
      await expect(page.getByLabel('What should it show?')).toHaveValue(NONSENSE)
    })

    await test.step('its spark is shown, over rows that only the browser gets', async () => {
      await describe(page, PROMPT)
      await expect(page.getByRole('heading', { name: NAME, exact: true })).toBeVisible()
      const frame = page.frameLocator(`iframe[title="${NAME}"]`)
      await expect(frame.getByRole('slider')).toHaveAccessibleName(/revenue by status/i)
      await expect(frame.getByRole('cell', { name: 'shipped' })).toBeVisible()
      await frame.getByLabel('Status', { exact: true }).selectOption('paid')
      await expect(frame.getByRole('cell', { name: 'shipped' })).toHaveCount(0)
      await expect(frame.getByRole('cell', { name: 'paid' })).toBeVisible()
    })

    const asked = model.asked
      .map((modelRequest) => JSON.stringify(modelRequest))
      .filter((item) => item.includes(PROMPT))
    expect(asked).toHaveLength(2)
    expect(asked[0]).toContain('shop.orders.amount')
    expect(asked[1]).toContain('turnover')
    expect(asked.join('')).not.toContain('shipped')
  } finally {
    await model.stop()
  }
})
