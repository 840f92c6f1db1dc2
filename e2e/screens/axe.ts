import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type AxeBuilder from '@axe-core/playwright'

type Results = Awaited<ReturnType<AxeBuilder['analyze']>>

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The frame around a mail runs no script, so the check would wait in it for ever. */
const MAIL_FRAME = 'iframe[sandbox]'

const require = createRequire(import.meta.url)
const { source } = createRequire(require.resolve('@axe-core/playwright'))('axe-core') as { source: string }

/** What another theme can change on the same page. */
const OF_COLOUR = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** What begins to move while it is looked at is looked at again; something that never rests is judged as it is. */
const MAX_ROUNDS = 5

interface Look {
  /** The same page was looked at in another theme before. */
  isAnotherTheme?: boolean
}

/** What stands in the way of people, on the page as it is. The builder would open one more page for every look. */
export async function findFaults(page: Page, { isAnotherTheme = false }: Look = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const violations = await page.evaluate(
    async ({ rules, frame, most }) => {
      const { axe } = window as unknown as { axe: { run(context: object, options: object): Promise<Results> } }
      // A colour on its way to another one, or a dialog on its way in, has a contrast that nobody means.
      const isPassing = (one: Animation) =>
        one.playState === 'running' && Number(one.effect?.getComputedTiming().endTime) < 2_000
      const passing = () => document.getAnimations().filter(isPassing)
      let hasMoved = false
      const note = () => (hasMoved = true)
      for (const event of ['animationstart', 'transitionrun']) document.addEventListener(event, note, true)
      for (let rounds = 1; ; rounds += 1) {
        for (let fading = passing(); fading.length > 0; fading = passing())
          await Promise.allSettled(fading.map(({ finished }) => finished))
        hasMoved = false
        const found = await axe.run({ exclude: [[frame]] }, { runOnly: rules, resultTypes: ['violations'] })
        if (found.violations.length > 0 && hasMoved && rounds < most) continue
        for (const event of ['animationstart', 'transitionrun']) document.removeEventListener(event, note, true)
        return found.violations.map(({ id, nodes }) => ({
          id,
          nodes: nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`),
        }))
      }
    },
    { rules: isAnotherTheme ? OF_COLOUR : { type: 'tag', values: RULES }, frame: MAIL_FRAME, most: MAX_ROUNDS },
  )
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node}`))
}
