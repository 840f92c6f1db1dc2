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

interface Look {
  /** The same page was looked at in another theme before. */
  isAnotherTheme?: boolean
}

/** What stands in the way of people, on the page as it is. The builder would open one more page for every look. */
export async function findFaults(page: Page, { isAnotherTheme = false }: Look = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const violations = await page.evaluate(
    async ({ rules, frame }) => {
      // A colour on its way to another one has a contrast that nobody means.
      const fading = document.getAnimations().filter((one) => one instanceof CSSTransition)
      await Promise.allSettled(fading.map(({ finished }) => finished))
      const { axe } = window as unknown as { axe: { run(context: object, options: object): Promise<Results> } }
      const found = await axe.run({ exclude: [[frame]] }, { runOnly: rules, resultTypes: ['violations'] })
      return found.violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`),
      }))
    },
    { rules: isAnotherTheme ? OF_COLOUR : { type: 'tag', values: RULES }, frame: MAIL_FRAME },
  )
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node}`))
}
