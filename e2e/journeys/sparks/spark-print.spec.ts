import { signIn } from '../../harness/people.ts'
import { giveProject, giveSpark } from '../../harness/sparks.ts'
import { expect, test } from '../../harness/test.ts'

const NAME = 'A long report'
const CHAPTERS = 40
const BLOCKS = Array.from({ length: CHAPTERS }, (_, at) => ({ kind: 'text', text: `## Chapter ${at + 1}\n\nWords.` }))

const countPages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0

test('a spark that is longer than a page is printed to its end, from the left edge of the paper', async ({
  page,
  person,
  request,
}) => {
  const givenProject = await giveProject(request, person)
  const spark = await giveSpark(request, givenProject, {
    name: NAME,
    content: { parameters: [], sources: [], body: { kind: 'blocks', blocks: BLOCKS } },
  })
  await signIn(page, person, `${givenProject.sparks}/${spark}`)
  const frame = page.locator(`iframe[title="${NAME}"]`)
  const last = page.frameLocator(`iframe[title="${NAME}"]`).getByText(`Chapter ${CHAPTERS}`, { exact: true })
  await expect(last).toBeVisible()
  await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(2000)
  const onScreen = await frame.boundingBox()
  expect(countPages(await page.pdf())).toBeGreaterThan(1)

  await page.emulateMedia({ media: 'print' })
  const onPaper = await frame.boundingBox()
  expect(onPaper?.x).toBe(0)
  expect(onPaper?.width, 'as wide as its height was measured for').toBe(onScreen?.width)
  await expect(page.getByRole('navigation').first()).toBeHidden()
})
